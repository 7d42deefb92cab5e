import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process, { argv, stdout, version } from 'node:process';
import { parseArgs } from 'node:util';
import { startBenchMarket } from './bench-market.js';
import { compareCredentials } from './auth-bench.js';
import { type Comparison, startBare } from './measure.js';
import { compareDeepPage, compareList } from './list-bench.js';
import { benchMatch } from './match-bench.js';
import { comparePrepare } from './prepare-bench.js';
import { benchSettlement } from './settlement-bench.js';
import { benchTrust } from './trust-bench.js';

const RESULTS = '.tasktree/bench.json';

/** The comparisons by the name that `--only` selects them with. */
const COMPARISONS = ['list', 'deep', 'prepare', 'auth'] as const;

/** Measurements of one part alone, without a market around it; by `--only` and not otherwise, as each takes a minute. */
const ALONE: Readonly<Record<string, (write: (line: string) => void, agents: number) => Promise<boolean>>> = {
  match: benchMatch,
  settlement: benchSettlement,
  trust: benchTrust,
};

/**
 * `npm run bench [-- --tasks N --seconds N --rounds N --only list|deep|prepare|auth|settlement|trust|match]`: ratios
 * against baselines in the same run, printed and kept; `--agents N` is how many `match` has.
 */
async function bench(): Promise<void> {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      tasks: { type: 'string', default: '1000000' },
      agents: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
    },
  });
  const [tasks, seconds, rounds] = [Number(values.tasks), Number(values.seconds), Number(values.rounds)];
  const chosen = COMPARISONS.filter((name) => values.only === undefined || values.only === name);
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const alone = Object.hasOwn(ALONE, values.only ?? '') ? ALONE[values.only ?? ''] : undefined;
  if (alone) {
    process.exitCode = (await alone(write, Number(values.agents))) ? 0 : 1;
    return;
  }
  if (chosen.length === 0) {
    throw new Error(`--only takes one of ${[...COMPARISONS, ...Object.keys(ALONE)].join(', ')}`);
  }
  const market = await startBenchMarket(tasks, write);
  const bare: ChildProcess[] = [];
  const start = async (name: string, args: readonly string[]): Promise<{ port: number; pid: number }> => {
    const { child, port } = await startBare(name, args);
    bare.push(child);
    return { port, pid: child.pid ?? Number.NaN };
  };
  try {
    const settings = { seconds, rounds };
    const run: Record<(typeof COMPARISONS)[number], () => Promise<Comparison | Comparison[]>> = {
      list: async () => {
        const bareList = await start('bare-list', [market.file.database_url, market.caller.account_id]);
        return compareList(market, bareList, settings);
      },
      deep: () => compareDeepPage(market, tasks, settings),
      prepare: () => comparePrepare(market, (order) => start('bare-prepare', [JSON.stringify(order)]), settings),
      auth: () => compareCredentials(market, settings),
    };
    const comparisons: Comparison[] = [];
    for (const name of chosen) comparisons.push(...[await run[name]()].flat());
    const [row] = await market.query('SHOW server_version');
    const machine = {
      cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
      node: version,
      postgres: String(row?.server_version),
      tasks,
    };
    write(
      `\n  ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, ${tasks.toLocaleString('en')} tasks`,
    );
    for (const comparison of comparisons) print(comparison, write);
    mkdirSync('.tasktree', { recursive: true });
    writeFileSync(RESULTS, `${JSON.stringify({ machine, comparisons }, null, 2)}\n`);
    write(`\n  Written to ${RESULTS}\n`);
  } finally {
    for (const child of bare) child.kill();
    await market.stop();
  }
}

function print({ title, sides, ratio }: Comparison, write: (line: string) => void): void {
  write(`\n  ${title}`);
  for (const { name, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest } of sides) {
    const cpu = cpuMicrosPerRequest === null ? '' : `  ${cpuMicrosPerRequest.toFixed(0).padStart(6)} µs CPU/request`;
    const times = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
    write(`    ${name.padEnd(52)} ${requestsPerSecond.toFixed(0).padStart(7)} req/s  ${times}${cpu}`);
  }
  write(`    ratio ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`);
}

await bench();
