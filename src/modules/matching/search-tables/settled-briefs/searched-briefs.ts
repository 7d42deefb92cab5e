import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { runPrepared, type Transactions } from '../../../../platform/database/transactions.js';
import type { TaskWordRow } from '../../relevance/task-words.sql.js';
import type { MarketStatistics } from '../market-statistics.js';
import {
  CHOOSE_SEARCHED,
  type DigestRow,
  JUDGE,
  JUDGED_AFTER,
  JUDGED_AT_ONCE,
  JUDGED_RUN,
  type JudgedRow,
  type JudgedRunRow,
  MAY_COUNT_AGAIN,
  UNJUDGED,
  type UnjudgedRow,
  WRITE_JUDGED,
} from './searched-briefs.sql.js';

/** Bytes of a digest: nobody finds another brief with the same one. */
const DIGEST_BYTES = 16;

/** A digest of the words of a brief and of how often each occurs, in hex; null without words. */
export function digestOf(words: readonly TaskWordRow[]): string | null {
  if (words.length === 0) return null;
  const counted = words.map(({ word, of_title, of_rest }) =>
    JSON.stringify([word, Number(of_title) + Number(of_rest)]),
  );
  return createHash('sha256')
    .update(counted.sort().join())
    .digest('hex')
    .slice(0, 2 * DIGEST_BYTES);
}

/** Chooses anew which of the briefs with these words is searched. */
export async function chooseSearched(manager: EntityManager, rows: readonly DigestRow[]): Promise<void> {
  const digests = new Set(rows.flatMap(({ digest }) => digest ?? []));
  if (digests.size > 0) await runPrepared(manager, CHOOSE_SEARCHED, [[...digests]]);
}

/** Searches the briefs of these tasks again until they are judged, because they may count for somebody now. */
export async function searchAgain(manager: EntityManager, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  await chooseSearched(manager, await runPrepared<DigestRow>(manager, MAY_COUNT_AGAIN, [[...taskIds]]));
}

/**
 * Judges the next briefs that are new, then those that a trust run may have made count for somebody else. Resolves to false
 * when none are left. A brief is searched until it was judged.
 */
export async function judgeNext(transactions: Transactions, statistics: MarketStatistics): Promise<boolean> {
  const { manager } = transactions;
  const fresh = await runPrepared<UnjudgedRow>(manager, UNJUDGED, []);
  if (fresh.length > 0) {
    await judge(transactions, statistics, fresh);
    return true;
  }
  const [run] = await runPrepared<JudgedRunRow>(manager, JUDGED_RUN, []);
  if (run === undefined || (run.judged_to === null && run.judged_run === run.last_run)) return false;
  const [by, from] = run.judged_to === null ? [run.last_run, 0] : [run.judged_run, run.judged_to];
  const rows = await runPrepared<JudgedRow>(manager, JUDGED_AFTER, [from]);
  await judge(
    transactions,
    statistics,
    rows.filter(({ is_wrong }) => is_wrong),
  );
  const last = rows.length < JUDGED_AT_ONCE ? null : (rows.at(-1)?.number ?? null);
  await runPrepared(manager, WRITE_JUDGED, [by, last]);
  return true;
}

async function judge(
  transactions: Transactions,
  statistics: MarketStatistics,
  rows: readonly UnjudgedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await transactions.run(async (manager) => {
    // Nobody else writes briefs meanwhile, so no two wait for each other's.
    await statistics.lock(manager);
    const numbers = rows.map(({ number }) => number);
    await chooseSearched(manager, await runPrepared<DigestRow>(manager, JUDGE, [numbers]));
  });
}
