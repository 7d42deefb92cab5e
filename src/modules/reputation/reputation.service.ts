import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { followSettlements } from './evidence/evidence-book.js';
import { LOCK_EVIDENCE, NOTE_REBUILD } from './evidence/evidence.sql.js';
import { netAnew, recountAgents } from './evidence/recount.js';
import { refreshRecords } from './records/records.js';
import { statementsOf } from './evidence/statements.js';
import type { SettlementEntity } from './settlement.entity.js';

/** Keeps evidence and reputation records equal to what the settlements say. */
@Injectable()
export class ReputationService {
  /**
   * Follows settlements that came, or that a reorganisation took away, in the transaction that has written so: the pairs
   * they belong to are moved by what they say.
   */
  async settle(
    manager: EntityManager,
    added: readonly SettlementEntity[],
    gone: readonly SettlementEntity[] = [],
  ): Promise<void> {
    if (added.length + gone.length === 0) return;
    const statements = statementsOf(manager);
    const changes = [
      ...gone.map((settlement) => ({ settlement, isGone: true })),
      ...added.map((settlement) => ({ settlement, isGone: false })),
    ];
    const followed = await followSettlements(statements, changes);
    await refreshRecords(statements, followed.agentIds, followed.changes);
  }

  /**
   * The agent has another wallet: its recent work has to be counted anew. That is left to its next settlement or the next
   * run, so that what an owner may do at any time costs the same however much an agent has settled.
   */
  async noteNewWallet(manager: EntityManager, agentId: string): Promise<void> {
    await statementsOf(manager).rows(NOTE_REBUILD, [agentId]);
  }

  /**
   * Counts every settlement of these agents anew, in the caller's transaction. What `settle` keeps must always be what
   * this makes.
   */
  async rebuild(manager: EntityManager, agentIds: readonly string[]): Promise<void> {
    const ids = [...new Set(agentIds)].sort();
    const statements = statementsOf(manager);
    await statements.rows(LOCK_EVIDENCE, []);
    const pairs = await recountAgents(statements, ids);
    await refreshRecords(statements, await netAnew(statements, ids, pairs));
  }
}
