import { Injectable } from '@nestjs/common';
import { checksumAddress, type WireNodeState } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { storedPath } from '../../platform/database/columns/node-path.column.js';
import { runPrepared, Transactions } from '../../platform/database/transactions.js';
import { FIND_HIRED_NODES, type HiredRow } from './hired-nodes.sql.js';

/**
 * A node that its hirer paid from its own wallet, as the indexed chain has it. What the worker does not earn goes back
 * to that wallet.
 */
export interface HiredNode {
  readonly id: string;
  readonly path: bigint;
  /** EIP-55. */
  readonly hirerWallet: Hex;
  readonly state: WireNodeState;
  /** End of the current time limit, unix seconds; the state says which limit. */
  readonly clock: number;
  /** Base units that go back to the wallet once that limit has passed, if the node is rejected or disputed. */
  readonly returned: bigint;
}

/** Finds the nodes that an account has paid for, for withdrawing what their workers did not earn. */
@Injectable()
export class HiredNodes {
  constructor(private readonly transactions: Transactions) {}

  /** The account's hired nodes of one task, oldest first. */
  async ofTask(accountId: string, taskId: string): Promise<HiredNode[]> {
    const rows = await runPrepared<HiredRow>(this.transactions.manager, FIND_HIRED_NODES, [accountId, taskId]);
    return rows.map(({ id, path, hirer_wallet: wallet, state, clock, returned }) => ({
      id,
      path: storedPath(path),
      hirerWallet: checksumAddress(wallet),
      state,
      clock: clock.getTime() / 1000,
      returned: BigInt(returned),
    }));
  }
}
