import type { EntityManager } from 'typeorm';
import { runPrepared } from '../../../platform/database/transactions.js';
import { NOTE_ALL, NOTE_BRIEFS, NOTE_TASKS, NOTE_TEXTS } from './statements/match-changes.sql.js';

/**
 * What has changed. `texts`: an agent's postings. `state`: whether and for whom agents work. `work`: an agent's load,
 * record or settled briefs. `facts`: records, clusters or impressions of agents. `trust`: clusters or independence of
 * principals. `brief`: the words of a settled brief, or who was paid for it. `statistics`: the market's statistics.
 * `postings`: the postings of all agents. Database triggers record `state`, `facts` and `trust`, whichever code writes
 * them.
 */
export type MatchChangeKind = 'texts' | 'state' | 'work' | 'facts' | 'trust' | 'brief' | 'statistics' | 'postings';

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
