import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { countLeft, followSettlements, leaveSettlements } from './evidence/evidence-book.js';
import { type DueRow, LOCK_EVIDENCE, NOTE_REBUILD, NOTE_RECORDS_MADE, RECORDS_DUE } from './evidence/evidence.sql.js';
import { netAnew, recountAgents } from './evidence/recount.js';
import { refreshRecords } from './records/records.js';
import { FORGET_SUMS } from './records/records.sql.js';
import { statementsOf } from './evidence/statements.js';
import type { SettlementEntity } from './settlement.entity.js';

/** Agents whose records are made in one transaction: all that is counted for them is held in memory. */
const RECORDS_AT_ONCE = 25;

/** Keeps evidence and reputation records equal to what the settlements say. */
@Injectable()
export class ReputationService {
  /**
   * Follows settlements that came, or that a reorganisation took away, in the transaction that has written so: the pairs
   * they belong to are moved by what they say.
   * @param isLeft leaves the records, and the evidence of agents with few settlements, to `refreshDue`: what an agent that
   * settles in many transactions has done is then counted once.
   */
  async settle(
    manager: EntityManager,
    added: readonly SettlementEntity[],
    gone: readonly SettlementEntity[] = [],
    isLeft = false,
  ): Promise<void> {
    if (added.length + gone.length === 0) return;
    const statements = statementsOf(manager);
    const changes = [
      ...gone.map((settlement) => ({ settlement, isGone: true })),
      ...added.map((settlement) => ({ settlement, isGone: false })),
    ];
    if (!isLeft) {
      const followed = await followSettlements(statements, changes);
      return refreshRecords(statements, followed.agentIds, followed.changes);
    }
    const followed = await leaveSettlements(statements, changes);
    // Kept sums are moved with the record; those that are not would say less than the evidence.
    if (followed.length > 0) await statements.send(FORGET_SUMS, [followed]);
  }

  /** Makes the next records that `settle` has left; false when there are none. */
  async refreshDue(manager: EntityManager): Promise<boolean> {
    const statements = statementsOf(manager);
    const due = await statements.rows<DueRow>(RECORDS_DUE, [RECORDS_AT_ONCE]);
    if (due.length === 0) return false;
    const agentIds = due.map(({ agent_id }) => agent_id);
    const waiting = due.flatMap(({ agent_id, must_rebuild }) => (must_rebuild ? [agent_id] : []));
    // What was noted before the agents are locked is counted; what is noted after is due anew.
    const counted = await countLeft(statements, agentIds, waiting);
    await statements.rows(NOTE_RECORDS_MADE, [agentIds, waiting]);
    await refreshRecords(statements, counted.agentIds, counted.changes);
    return true;
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
