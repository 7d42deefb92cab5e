import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { followSettlements } from './evidence/evidence-book.js';
import {
  LOCK_EVIDENCE,
  NOTE_CHANGES,
  NOTE_REBUILD,
  NOTE_RECORDS_DUE,
  NOTE_RECORDS_MADE,
  RECORDS_DUE,
} from './pairs/evidence.sql.js';
import { netAnew, recountAgents } from './evidence/evidence-recount.js';
import { refreshRecords } from './records/records.js';
import { FORGET_SUMS } from './records/records.sql.js';
import { queryExecutorOf } from './pairs/query-executor.js';
import type { SettlementEntity } from './settlements/settlement.entity.js';

/** Agents whose records are made in one transaction. */
const RECORDS_AT_ONCE = 100;

/** Keeps evidence and reputation records equal to what the settlements say. */
@Injectable()
export class ReputationService {
  /**
   * Follows settlements that came, or that a reorganisation took away, in the transaction that has written so: the pairs
   * they belong to are moved by what they say.
   * @param isRecordLater leaves the records to `refreshDue`: of an agent that settles in many transactions they are then
   * made once.
   */
  async settle(
    manager: EntityManager,
    added: readonly SettlementEntity[],
    gone: readonly SettlementEntity[] = [],
    isRecordLater = false,
  ): Promise<void> {
    if (added.length + gone.length === 0) return;
    const statements = queryExecutorOf(manager);
    const changes = [
      ...gone.map((settlement) => ({ settlement, isGone: true })),
      ...added.map((settlement) => ({ settlement, isGone: false })),
    ];
    const followed = await followSettlements(statements, changes);
    if (!isRecordLater) return refreshRecords(statements, followed.agentIds, followed.changes);
    await statements.rows(NOTE_RECORDS_DUE, [followed.agentIds]);
    // Kept sums are moved with the record; those that are not would say less than the evidence.
    await statements.send(FORGET_SUMS, [followed.agentIds]);
  }

  /** Makes the next records that `settle` has left; false when there are none. */
  async refreshDue(manager: EntityManager): Promise<boolean> {
    const statements = queryExecutorOf(manager);
    const due = await statements.rows<{ agent_id: string }>(RECORDS_DUE, [RECORDS_AT_ONCE]);
    if (due.length === 0) return false;
    const agentIds = due.map(({ agent_id }) => agent_id);
    // Locks the agents: what was noted before that is in the evidence, what is noted after is due anew.
    await statements.rows(NOTE_CHANGES, [agentIds]);
    await statements.rows(NOTE_RECORDS_MADE, [agentIds]);
    await refreshRecords(statements, agentIds);
    return true;
  }

  /**
   * The agent has another wallet: its recent work has to be counted anew. That is left to its next settlement or the next
   * run, so that what an owner may do at any time costs the same however much an agent has settled.
   */
  async noteNewWallet(manager: EntityManager, agentId: string): Promise<void> {
    await queryExecutorOf(manager).rows(NOTE_REBUILD, [agentId]);
  }

  /**
   * Counts every settlement of these agents anew, in the caller's transaction. What `settle` keeps must always be what
   * this makes.
   */
  async rebuild(manager: EntityManager, agentIds: readonly string[]): Promise<void> {
    const ids = [...new Set(agentIds)].sort();
    const statements = queryExecutorOf(manager);
    await statements.rows(LOCK_EVIDENCE, []);
    const pairs = await recountAgents(statements, ids);
    await refreshRecords(statements, await netAnew(statements, ids, pairs));
  }
}
