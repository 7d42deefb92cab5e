import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../../platform/database/transactions.js';

/**
 * What has changed. `texts`: an agent's postings. `state`: whether and for whom agents work. `work`: an agent's load,
 * record or settled briefs. `facts`: records, clusters or impressions of agents. `trust`: clusters or independence of
 * principals. `brief`: the words of a settled brief, or who was paid for it. `statistics`: the market's statistics.
 * `postings`: the postings of all agents. Database triggers record `state`, `facts` and `trust`, whichever code writes
 * them.
 */
export type MatchChangeKind = 'texts' | 'state' | 'work' | 'facts' | 'trust' | 'brief' | 'statistics' | 'postings';

const NOTE_TEXTS: PreparedStatement = {
  name: 'match_changes_note_texts',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'texts', number, $2 FROM agents WHERE id = $1`,
};

/**
 * Records changed work: of the agents $1, of all agents with a quote for the tasks $2 (a reorganisation may have
 * removed their nodes), and of the tasks' briefs. $3 is the time.
 */
const NOTE_TASKS: PreparedStatement = {
  name: 'match_changes_note_tasks',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, brief_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, kind, agent_number, brief_number, $3::timestamptz FROM (
      SELECT 'work' AS kind, number AS agent_number, NULL::integer AS brief_number FROM agents
        WHERE id IN (SELECT unnest($1::text[]) UNION SELECT agent_id FROM quotes WHERE task_id = ANY($2::text[]))
      UNION ALL SELECT 'brief', NULL, number FROM match_briefs WHERE task_id = ANY($2::text[])
    ) AS changed ORDER BY agent_number`,
};

/** Records a change that concerns all agents: $1 time, $2 `statistics` or `postings`. */
export const NOTE_ALL: PreparedStatement = {
  name: 'match_changes_note_all',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    VALUES (pg_current_xact_id()::text::bigint, $2, NULL, $1)`,
};

const NOTE_BRIEFS: PreparedStatement = {
  name: 'match_changes_note_briefs',
  text: `INSERT INTO match_changes (transaction_id, kind, brief_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'brief', number, $2 FROM unnest($1::integer[]) AS number`,
};

/**
 * Records that an agent's postings have changed, in the caller's transaction. Readers with copies will read the agent
 * again.
 */
export async function noteTexts(manager: EntityManager, agentId: string, at: Date): Promise<void> {
  await runPrepared(manager, NOTE_TEXTS, [agentId, at]);
}

/** Records that frequencies, averages or the weights of briefs have changed. */
export async function noteStatistics(manager: EntityManager, at: Date): Promise<void> {
  await runPrepared(manager, NOTE_ALL, [at, 'statistics']);
}

/** Records that the impacts of all agents were recomputed with new averages. */
export async function notePostings(manager: EntityManager, at: Date): Promise<void> {
  await runPrepared(manager, NOTE_ALL, [at, 'postings']);
}

/** Records that these briefs have other words or are no longer settled. */
export async function noteBriefs(manager: EntityManager, numbers: readonly number[], at: Date): Promise<void> {
  if (numbers.length > 0) await runPrepared(manager, NOTE_BRIEFS, [[...numbers], at]);
}

/**
 * Records that work for a task has changed the load, the record or the settled briefs of these workers, and of all
 * agents with a quote for it.
 */
export function noteWork(manager: EntityManager, taskId: string, workers: readonly string[], at: Date): Promise<void> {
  return noteWorkOnAll(manager, [taskId], workers, at);
}

/** As `noteWork`, for several tasks in one statement. */
export async function noteWorkOnAll(
  manager: EntityManager,
  taskIds: readonly string[],
  workers: readonly string[],
  at: Date,
): Promise<void> {
  await runPrepared(manager, NOTE_TASKS, [[...workers], [...taskIds], at]);
}
