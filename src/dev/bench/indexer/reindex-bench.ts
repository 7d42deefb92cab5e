import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { IndexerService } from '../../../modules/escrow/indexer/indexer.service.js';
import { TaskDetailService } from '../../../modules/escrow/task-detail.service.js';
import { StatisticsRunner } from '../../../modules/matching/search-tables/settled-briefs/statistics.runner.js';
import { urlOf, withScratchPostgres } from '../../eval/scratch-postgres.js';
import { Seeded } from '../../eval/statistics/seeded.js';
import type { WriteLine } from '../../processes/progress.js';
import { quantile } from '../measure.js';
import { LOGS_PER_TREE, type MadeTree, makeTrees, mineTrees } from './bench-trees.js';
import { caughtUpSeconds, CHAIN_ID, makeTables, SEED, withIndexer } from './indexer-bench.js';
import { differingRows } from './differing-rows.js';
import { DERIVED_ROWS, READ_TASKS } from './reindex.sql.js';
import { ScriptedChain } from './scripted-chain.js';

/** Trees whose blocks come together while the index follows the chain. */
const LIVE_TREES = 120;
const READ_EVERY_MS = 20;
/** Reads of an index that has nothing to do, for comparison. */
const READS_BEFORE = 500;

/**
 * Indexes a chain of `trees` trees as it grows, then indexes all of it again from the first block, in a second database
 * with the same tasks, while tasks are read there.
 * @returns whether every derived row of the second index equals one of the first.
 */
export function benchReindex(write: WriteLine, trees: number): Promise<boolean> {
  return withScratchPostgres(async (client) => {
    const chain = await ScriptedChain.start(CHAIN_ID, Date.UTC(2026, 0, 1) / 1000);
    await client.query('CREATE DATABASE again');
    const again = new pg.Client({ connectionString: urlOf(client, 'again') });
    await again.connect();
    try {
      const events = trees * LOGS_PER_TREE;
      const made = await marketOf(client, trees);
      await marketOf(again, trees);
      write(`\n  ${events.toLocaleString('en')} events of ${trees.toLocaleString('en')} trees, seed ${SEED}`);
      const before = await withIndexer(urlOf(client), chain, async (context) => {
        const seconds = await followed(context, chain, made);
        write(`    indexed as the chain grew   ${rate(events, seconds)}`);
        return readTimes(context, client, (times) => times.length >= READS_BEFORE);
      });
      const meanwhile = await withIndexer(urlOf(again), chain, async (context) => {
        let isOver = false;
        const reads = readTimes(context, again, () => isOver);
        const seconds = await caughtUpSeconds(context.get(IndexerService, { strict: false })).finally(
          () => (isOver = true),
        );
        write(`    indexed again, all of it    ${rate(events, seconds)}`);
        const times = await reads;
        await context.get(StatisticsRunner, { strict: false }).refresh(true);
        return times;
      });
      write(`    reads of a task: idle       ${quantiles(before)}`);
      write(`    reads of a task: meanwhile  ${quantiles(meanwhile)}`);
      return await areEqual(write, client, again);
    } finally {
      await again.end();
      await chain.stop();
    }
  });
}

async function marketOf(client: pg.Client, trees: number): Promise<readonly MadeTree[]> {
  await makeTables(urlOf(client));
  return makeTrees(client, new Seeded(SEED), trees);
}

/** Seconds that the index needs for the blocks, without the time in which they are made. */
async function followed(
  context: INestApplicationContext,
  chain: ScriptedChain,
  made: readonly MadeTree[],
): Promise<number> {
  let seconds = 0;
  for (let from = 0; from < made.length; from += LIVE_TREES) {
    mineTrees(chain, made.slice(from, from + LIVE_TREES));
    seconds += await caughtUpSeconds(context.get(IndexerService, { strict: false }));
  }
  await context.get(StatisticsRunner, { strict: false }).refresh(true);
  return seconds;
}

/** Reads tasks one after the other until `isOver`. @returns the milliseconds that each took. */
async function readTimes(
  context: INestApplicationContext,
  client: pg.Client,
  isOver: (times: readonly number[]) => boolean,
): Promise<number[]> {
  const { rows } = await client.query<{ id: string; accountId: string }>(READ_TASKS);
  const service = context.get(TaskDetailService, { strict: false });
  const times: number[] = [];
  for (let at = 0; !isOver(times); at += 1) {
    const task = rows[at % rows.length];
    if (!task) throw new RangeError('There must be a task');
    const begun = performance.now();
    await service.get(task.accountId, task.id);
    times.push(performance.now() - begun);
    await sleep(READ_EVERY_MS);
  }
  return times;
}

/** Compares the rows of both databases table by table. */
async function areEqual(write: WriteLine, one: pg.Client, other: pg.Client): Promise<boolean> {
  let all = 0;
  for (const [table, sql] of Object.entries(DERIVED_ROWS)) {
    const rows = await digests(one, sql);
    const differing = differingRows(rows, await digests(other, sql));
    all += differing;
    write(`    ${table.padEnd(20)} ${rows.length.toLocaleString('en').padStart(10)} rows, ${differing} differ`);
  }
  write(`\n  rows that differ: ${all}; bar: 0: ${all === 0 ? 'met' : 'missed'}\n`);
  return all === 0;
}

async function digests(client: pg.Client, sql: string): Promise<string[]> {
  return (await client.query<{ digest: string }>(sql)).rows.map(({ digest }) => digest);
}

function rate(events: number, seconds: number): string {
  return `${Math.round(events / seconds).toLocaleString('en')} events/s (${seconds.toFixed(2)} s)`;
}

function quantiles(times: readonly number[]): string {
  return `p50 ${quantile(times, 0.5).toFixed(2)} ms  p95 ${quantile(times, 0.95).toFixed(2)} ms  (${times.length})`;
}
