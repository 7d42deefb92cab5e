import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../platform/database/transactions.js';

/**
 * What changed: `texts` an agent's postings, `state` whether and for whom it works, `work` its load, record or settled
 * briefs, `facts` records, clusters or impressions of several agents (noted by triggers of the database, whoever writes
 * them), `brief` the words of a settled brief, `statistics` the numbers of all agents together (of no agent), `postings`
 * those of all agents.
 */
export type MatchChangeKind = 'texts' | 'state' | 'work' | 'facts' | 'brief' | 'statistics' | 'postings';

const NOTE: PreparedStatement = {
  name: 'match_changes_note',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, $1, number, $3 FROM agents WHERE id = ANY($2::text[]) ORDER BY number`,
};

/** Also of those who offered to work for the task $2: a reorganisation may have taken their nodes away. */
const NOTE_TASK: PreparedStatement = {
  name: 'match_changes_note_task',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'work', number, $3 FROM agents
    WHERE id IN (SELECT unnest($1::text[]) UNION SELECT agent_id FROM quotes WHERE task_id = $2) ORDER BY number`,
};

const NOTE_STATISTICS: PreparedStatement = {
  name: 'match_changes_note_statistics',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    VALUES (pg_current_xact_id()::text::bigint, $2, NULL, $1)`,
};

const NOTE_BRIEFS: PreparedStatement = {
  name: 'match_changes_note_briefs',
  text: `INSERT INTO match_changes (transaction_id, kind, brief_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'brief', number, $2 FROM unnest($1::integer[]) AS number`,
};

/** Notes for indexes in memory that something about these agents has changed, in the caller's transaction. */
export async function noteChanges(
  manager: EntityManager,
  kind: 'texts' | 'state',
  agentIds: readonly string[],
  at: Date,
): Promise<void> {
  if (agentIds.length > 0) await runPrepared(manager, NOTE, [kind, [...agentIds], at]);
}

/** Notes that frequencies, averages or the weights of briefs have changed. */
export async function noteStatistics(manager: EntityManager, at: Date): Promise<void> {
  await runPrepared(manager, NOTE_STATISTICS, [at, 'statistics']);
}

/** Notes that the impacts of all agents are of other averages than before. */
export async function notePostings(manager: EntityManager, at: Date): Promise<void> {
  await runPrepared(manager, NOTE_STATISTICS, [at, 'postings']);
}

/** Notes that these briefs have other words, or are settled no more. */
export async function noteBriefs(manager: EntityManager, numbers: readonly number[], at: Date): Promise<void> {
  if (numbers.length > 0) await runPrepared(manager, NOTE_BRIEFS, [[...numbers], at]);
}

/** Notes that work for a task has changed the load, the record or the settled briefs of these workers and of others. */
export async function noteWork(
  manager: EntityManager,
  taskId: string,
  workers: readonly string[],
  at: Date,
): Promise<void> {
  await runPrepared(manager, NOTE_TASK, [[...workers], taskId, at]);
}
