import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { EscrowNodeEntity } from './escrow-node.entity.js';

/** The way to a node for everything that acts on one. Whether the caller may see the task is `TaskAccess`'s question. */
@Injectable()
export class NodeAccess {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The node as the indexed chain has it.
   * @throws ApiError `not_found` alike for a node that does not exist, one of another task, and one the account may not
   * see.
   */
  async find(accountId: string, taskId: string, nodeId: string): Promise<EscrowNodeEntity> {
    const node = await this.transactions.manager
      .createQueryBuilder(EscrowNodeEntity, 'node')
      .where('node.id = :nodeId AND node.task_id = :taskId', { nodeId, taskId })
      .andWhere(':accountId = ANY (node.visible_account_ids)', { accountId })
      .getOne();
    if (!node) throw new ApiError('not_found', 'There is no such node.');
    return node;
  }
}
