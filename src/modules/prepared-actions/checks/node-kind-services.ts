import { Injectable } from '@nestjs/common';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Clock } from '../../../platform/time/clock.js';
import { Custody } from '../../artifacts/custody/custody.service.js';
import { RejectionReasons } from '../../deliveries/rejection-reason-store.js';
import { NodeAuthority } from '../../escrow/node/node-authority.js';
import { NodeIntents } from './node-intents.js';

/** The services that the rows of node-kind.ts use: a row is data and has no constructor to inject them into. */
@Injectable()
export class NodeKindServices {
  constructor(
    readonly nodes: NodeAuthority,
    readonly intents: NodeIntents,
    readonly custody: Custody,
    readonly reasons: RejectionReasons,
    readonly config: ChainConfig,
    readonly clock: Clock,
  ) {}
}
