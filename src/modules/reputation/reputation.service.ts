import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { countLeft, followSettlements, leaveSettlements } from './evidence/evidence-book.js';
import { type DueRow, LOCK_EVIDENCE, NOTE_REBUILD, NOTE_RECORDS_MADE, RECORDS_DUE } from './pairs/evidence.sql.js';
import { netAnew, recountAgents } from './evidence/evidence-recount.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { Clock } from '../../platform/time/clock.js';
import { type RecordChange, refreshRecords } from './records/records.js';
import { type ReputationEvent, reputationEvent } from './records/reputation-event.js';
import { FORGET_SUMS } from './records/records.sql.js';
import { queryExecutorOf } from './pairs/query-executor.js';
import type { SettlementEntity } from './settlements/settlement.entity.js';

/** Agents whose records are refreshed in one transaction; all that is counted for them is held in memory. */
const RECORDS_AT_ONCE = 25;

/** Keeps evidence and reputation records up to date with the settlements. */
@Injectable()
export class ReputationService {
  constructor(private readonly clock: Clock) {}

  /**
   * Updates evidence and records for settlements that were added or removed, in the transaction that has written them.
   * @param isLeft true: leaves the records, and the evidence of agents with few settlements, to `refreshDue`, so that an
   *   agent with many settling transactions is counted only once.
   * @returns the events of the records of which something else is shown now.
   */
  async settle(
    manager: EntityManager,
    added: readonly SettlementEntity[],
    gone: readonly SettlementEntity[] = [],
    isLeft = false,
  ): Promise<ReputationEvent[]> {
    if (added.length + gone.length === 0) return [];
    const statements = queryExecutorOf(manager);
    const changes = [
      ...gone.map((settlement) => ({ settlement, isGone: true })),
      ...added.map((settlement) => ({ settlement, isGone: false })),
    ];
    if (!isLeft) {
      const followed = await followSettlements(statements, changes);
      return this.eventsOf(await refreshRecords(statements, followed.agentIds, followed.changes));
    }
    const followed = await leaveSettlements(statements, changes);
    // Stored sums are updated only with the record, so without it they would be outdated and are deleted.
    if (followed.length > 0) await statements.send(FORGET_SUMS, [followed]);
    return [];
  }

  /** Refreshes the next records that `settle` has left. Resolves to false when none are left. */
  async refreshDue(manager: EntityManager): Promise<boolean> {
    const statements = queryExecutorOf(manager);
    const due = await statements.rows<DueRow>(RECORDS_DUE, [RECORDS_AT_ONCE]);
    if (due.length === 0) return false;
    const agentIds = due.map(({ agent_id }) => agent_id);
    const waiting = due.flatMap(({ agent_id, must_rebuild }) => (must_rebuild ? [agent_id] : []));
    // Changes noted before the agents are locked are counted; every later one marks the record due again.
    const counted = await countLeft(statements, agentIds, waiting);
    await statements.rows(NOTE_RECORDS_MADE, [agentIds]);
    const changes = await refreshRecords(statements, counted.agentIds, counted.changes);
    await recordEvents(manager, this.eventsOf(changes));
    return true;
  }

  /**
   * Marks an agent with a new wallet for a recount, because its recent work counts differently now. The next settlement
   * or trust run recounts it, so that changing a wallet costs the same however many settlements the agent has.
   */
  async noteNewWallet(manager: EntityManager, agentId: string): Promise<void> {
    await queryExecutorOf(manager).rows(NOTE_REBUILD, [agentId]);
  }

  /**
   * Recounts all settlements of these agents, in the caller's transaction. The incremental result of `settle` must
   * always equal this one.
   */
  async rebuild(manager: EntityManager, agentIds: readonly string[]): Promise<void> {
    const ids = [...new Set(agentIds)].sort();
    const statements = queryExecutorOf(manager);
    await statements.rows(LOCK_EVIDENCE, []);
    const pairs = await recountAgents(statements, ids);
    await recordEvents(manager, this.eventsOf(await refreshRecords(statements, await netAnew(statements, ids, pairs))));
  }

  private eventsOf(changes: readonly RecordChange[]): ReputationEvent[] {
    const at = this.clock.now();
    return changes.map((change) => reputationEvent(change, at));
  }
}
