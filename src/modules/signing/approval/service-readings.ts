import { Injectable } from '@nestjs/common';
import { type ChainQuery, type ChainReading, type Intent, type PreparedAction, readNode } from '#libs/prepared-action';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { ApprovalDeployments } from './approval-deployment.js';

/** What the service's own node of the chain says about an action, for the checks before a signature. */
@Injectable()
export class ServiceReadings {
  constructor(
    private readonly deployments: ApprovalDeployments,
    private readonly chain: ChainClient,
  ) {}

  /** The reading; without members when the chain cannot be reached. */
  async of(action: PreparedAction, intent: Intent): Promise<ChainReading> {
    const asked = { action, intent, deployment: this.deployments.pinned };
    return readNode('service', asked, (query) => this.answerTo(query));
  }

  /** Asks the chain one query; undefined where there is no answer, as of a view that reverts. */
  private async answerTo({ method, params }: ChainQuery): Promise<unknown> {
    try {
      return await this.chain.query(method, params);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return undefined;
      throw error;
    }
  }
}
