import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { version } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { localClient } from '../../local-client.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { startTemporaryMarket } from '../../local-market/temporary-market.js';
import { LIMITS } from '../bench-market.js';
import { flatBeginning, flatGrowth, type FlatPeople } from './flat-data.sql.js';
import { type Costs, driveAll, TIMES, WARM_UP } from './flat-drive.js';
import { benchNeighbours } from './flat-neighbours.js';
import { flatPeople } from './flat-people.js';
import { CHEAP_MS, isAnswered, isFlat, MOST_BUFFERS, MOST_TIME, OUT_OF_REACH, unreached } from './flat-verdict.js';
import { REGISTRY } from './live/wallet-identities.js';
import { COUNTING, StatementCosts } from './statement-costs.js';
import { COUNT_CHANGES } from './statement-costs.sql.js';

const SEED = 20261125;
const SMALL = 1_000;
/**
 * The index is in memory because large markets are matched that way; open actions are counted because a service with
 * quotas counts them.
 */
const SERVICE = { ...LIMITS, MATCHING_INDEX: 'memory', QUOTA_ACTIONS: '5000', ERC8004_REGISTRIES: REGISTRY };
const LOOK_MS = 500;
/** Longer than the interval at which the service follows changes and at which Postgres updates its counters. */
const REST_MS = 12_000;
const LONGEST_REST_MS = 180_000;
const RESULTS = '.tasktree/bench-flat.json';

/** How many tasks the large market has, and how long other readers are measured while the most expensive reads run. */
interface FlatSettings {
  tasks: number;
  seconds: number;
  rounds: number;
}

/**
 * `npm run bench -- --only flat`: compares what every operation costs the database at 1,000 tasks and at many. It asks
 * reads with all their filters, on the first page and a deep one, and the account and approval pages, as the accounts
 * that own most, an ordinary account and a new one. One market is measured, grown and measured again. The bars judge
 * buffers and time in the database, not the time of whole requests. Afterwards it measures list reads of another
 * account while the most expensive reads run.
 * @returns whether no cost grows with the market, every operation succeeded at least once, and no other reader slowed
 * down.
 */
export async function benchFlat(write: WriteLine, { tasks, ...settings }: FlatSettings): Promise<boolean> {
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: SERVICE, postgres: COUNTING }, progress);
  const client = localClient(market.file.database_url);
  try {
    await client.connect();
    const { people, callers } = await flatPeople(market, client);
    for (const statement of flatBeginning(people)) await client.query(statement);
    const sides: Costs[] = [];
    for (const [from, to] of [
      [0, SMALL],
      [SMALL, tasks],
    ] as const) {
      await progress.part(
        'Rows',
        () => grow(client, from, to, people),
        () => `${to.toLocaleString('en')} tasks, seed ${SEED}`,
      );
      const costs = await StatementCosts.open(client);
      const drive = () => driveAll(market.file.base_url, callers, costs, client);
      sides.push(await progress.part('Requests', drive, ({ size }) => `${size} kinds, ${WARM_UP + TIMES} times each`));
    }
    const [small, large] = sides;
    if (!small || !large) throw new Error('There is nothing to compare');
    write(`\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}`);
    const isFlat = tell(write, small, large, tasks);
    return (await benchNeighbours(write, market.file, { callers, costs: large, settings })) && isFlat;
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

async function grow(client: pg.Client, from: number, to: number, people: FlatPeople): Promise<void> {
  for (const statement of flatGrowth(from, to, SEED, people)) await client.query(statement);
  await rest(client);
  await client.query('VACUUM (ANALYZE)');
}

/**
 * Waits until the service has followed all changes, that is until no row of matching has changed for `REST_MS`; at most
 * `LONGEST_REST_MS`.
 */
async function rest(client: pg.Client): Promise<void> {
  let [last, since] = ['', performance.now()];
  const begun = since;
  while (performance.now() - since < REST_MS && performance.now() - begun < LONGEST_REST_MS) {
    await sleep(LOOK_MS);
    const { rows } = await client.query<{ changes: string }>(COUNT_CHANGES);
    const changes = rows[0]?.changes ?? '';
    if (changes !== last) [last, since] = [changes, performance.now()];
  }
}

function tell(write: WriteLine, small: Costs, large: Costs, tasks: number): boolean {
  const rows = [...large].map(([what, at]) => {
    const before = small.get(what) ?? small.get(what.replace(/deep$/, 'first'));
    return {
      what,
      small: before ?? at,
      large: at,
      isMet: before !== undefined && isAnswered(at) && isFlat(before, at),
    };
  });
  write(
    `\n  ${'operation | filters | caller | page'.padEnd(84)} answer statements   buffers at 1,000 → ${tasks.toLocaleString('en')}   DB ms`,
  );
  for (const row of rows) {
    const { what, isMet } = row;
    const buffers = `${row.small.buffers.toFixed(0).padStart(8)} → ${row.large.buffers.toFixed(0).padStart(8)}`;
    const ms = `${row.small.ms.toFixed(2).padStart(8)} → ${row.large.ms.toFixed(2).padStart(9)}`;
    const statements = row.large.statements.toFixed(0).padStart(5);
    write(`  ${what.padEnd(84)}  ${row.large.status}  ${statements}  ${buffers}  ${ms}  ${isMet ? 'flat' : 'GROWS'}`);
  }
  const missed = rows.filter(({ isMet }) => !isMet);
  if (missed.length > 0) write('\n  What grows, by its dearest statement:');
  for (const statement of new Set(missed.map(({ large: { dearest } }) => dearest))) {
    write(`    ${missed.filter(({ large: { dearest } }) => dearest === statement).length} × ${statement}`);
  }
  const refused = rows.filter(({ large: { status } }) => status >= 400);
  write(
    `\n  ${rows.length} kinds of requests, ${refused.length} of them refused (as the caller may not, or nothing is there)`,
  );
  write(
    `  bar: at most ${CHEAP_MS} ms, or ${MOST_TIME} × the time and ${MOST_BUFFERS} × the buffers: ${missed.length === 0 ? 'met' : `missed by ${missed.length}`}`,
  );
  const refusedToAll = unreached(large.values());
  write(`  operations that are refused to everybody: ${refusedToAll.join(', ') || 'none'}`);
  write(`  and as it must be, since they need a card at a public https address: ${OUT_OF_REACH.join(', ')}`);
  mkdirSync('.tasktree', { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify({ seed: SEED, tasks, rows }, null, 2)}\n`);
  write(`  Written to ${RESULTS}\n`);
  return missed.length === 0 && refusedToAll.length === 0;
}
