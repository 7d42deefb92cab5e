import { Injectable } from '@nestjs/common';
import { checksumAddress, type WireNodeState } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { type PreparedStatement, runPrepared, Transactions } from '../../platform/database/transactions.js';

/**
 * A node that its hirer paid from its own wallet, as the indexed chain has it. What the worker does not earn goes back
 * to that wallet.
 */
export interface HiredNode {
  readonly id: string;
  readonly number: number;
  /** EIP-55. */
  readonly hirerWallet: Hex;
  readonly state: WireNodeState;
  /** End of the current time limit, unix seconds; the state says which limit. */
  readonly clock: number;
}

interface HiredRow {
  id: string;
  number: number;
  hirer_wallet: string;
  state: WireNodeState;
  clock: Date;
}

/** $1 account, $2 task. */
const FIND: PreparedStatement = {
  name: 'hired-nodes',
  text: `SELECT id, number, hirer_wallet, state, clock FROM escrow_nodes
         WHERE task_id = $2 AND hirer_account_id = $1 AND hirer_funded ORDER BY number`,
};

/** Finds the nodes that an account has paid for, for withdrawing what their workers did not earn. */
@Injectable()
export class HiredNodes {
  constructor(private readonly transactions: Transactions) {}

  /** The account's hired nodes of one task, oldest first. */
  async of(accountId: string, taskId: string): Promise<HiredNode[]> {
    const rows = await runPrepared<HiredRow>(this.transactions.manager, FIND, [accountId, taskId]);
    return rows.map(({ id, number, hirer_wallet: wallet, state, clock }) => ({
      id,
      number,
      hirerWallet: checksumAddress(wallet),
      state,
      clock: clock.getTime() / 1000,
    }));
  }
}
