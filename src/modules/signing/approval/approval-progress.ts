import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { ActionHistory } from '../../prepared-actions/lifecycle/action-history.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import type { ProgressAnswer } from '#libs/approval-wire';
import { receiptIdOf } from '../../receipts/receipt-id.js';
import { KNOWN_RECEIPT } from './approval-facts.sql.js';

/** Progress of an action after its signature. */
@Injectable()
export class ApprovalProgress {
  constructor(
    private readonly history: ActionHistory,
    private readonly transactions: Transactions,
    private readonly environment: Environment,
  ) {}

  /** Returns the progress; unknown members are absent. */
  async progressOf(action: PreparedActionEntity): Promise<ProgressAnswer> {
    const [progress, receiptPath] = await Promise.all([this.history.progressOf(action), this.receiptPathOf(action)]);
    const { status, transactionHash, block, finalAtBlock, headBlock } = progress;
    return {
      status,
      ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
      ...(block === null ? {} : { block }),
      ...(finalAtBlock === null ? {} : { final_at_block: finalAtBlock }),
      ...(headBlock === null ? {} : { head_block: headBlock }),
      ...(receiptPath === null ? {} : { receipt_path: receiptPath }),
    };
  }

  private async receiptPathOf({ nodeId }: PreparedActionEntity): Promise<string | null> {
    if (nodeId === null) return null;
    const [row] = await this.transactions.lookUp<{ id: string }>(KNOWN_RECEIPT, [receiptIdOf(nodeId)]);
    return row === undefined ? null : publicPath(this.environment.baseUrl, `/account/receipts/${row.id}`);
  }
}
