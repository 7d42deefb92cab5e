import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { TaskPartyEntity } from '../tasks/task-party.entity.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import type { RankedMatch } from './agent-ranking.js';

/** Best agents of a private task whose owners may see it. (policy) */
const CURATED = 50;

/** Lets the owners of matched agents see a private task (design/interface.md §6). */
@Injectable()
export class MatchListAccess {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Admits the owners of the best agents, all in one statement, when the buyer of a `private_curated` task looks at its
   * matches. A draft stays the buyer's alone, and nobody else's look admits anyone.
   */
  async admit(accountId: string, task: TaskEntity, matches: readonly RankedMatch[]): Promise<void> {
    const isOpenList = task.tier === 'private_curated' && task.status !== 'draft';
    if (!isOpenList || accountId !== task.buyerAccountId || matches.length === 0) return;
    const owners = new Set(matches.slice(0, CURATED).map(({ candidate }) => candidate.accountId));
    await this.transactions.manager
      .createQueryBuilder()
      .insert()
      .into(TaskPartyEntity)
      .values([...owners].map((owner) => ({ taskId: task.id, accountId: owner, role: 'matched' as const })))
      .orIgnore()
      .execute();
  }
}
