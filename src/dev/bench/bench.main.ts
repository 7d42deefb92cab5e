import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process, { argv, stderr, stdout, version } from 'node:process';
import { exitCodeOf, LocalFault } from '../processes/local-fault.js';
import type { WriteLine } from '../processes/progress.js';
import { type BenchMarket, startBenchMarket } from './bench-market.js';
import { type AloneName, benchOptions, type BenchOptions, type ComparisonName, COMPARISONS } from './bench-options.js';
import { compareCredentials } from './requests/auth-bench.js';
import { type Comparison, startBare } from './measure.js';
import { compareDeepPage, compareList } from './requests/list-bench.js';
import { comparePrepare } from './requests/prepare-bench.js';

const RESULTS = '.tasktree/bench.json';
const SECONDS = 4;
/** Loads at a fixed rate send few requests, so they need this long for a meaningful 95th percentile. */
const HOSTILE_SECONDS = 15;
/** Of which 99 in 100 are told within the bar: enough events for such a share. */
const EVENTS_SECONDS = 20;
/** Long enough for V8 to move garbage to its old generation. */
const MEMORY_SECONDS = 60;

/** Each of these measurements resolves to whether its bars were met. */
const ALONE: Readonly<Record<AloneName, (write: WriteLine, options: BenchOptions) => Promise<boolean>>> = {
  events: async (write, { seconds }) => {
    return (await import('./events/events-bench.js')).benchEvents(write, { seconds: seconds ?? EVENTS_SECONDS });
  },
  flat: async (write, { tasks, seconds, rounds }) => {
    const { benchFlat } = await import('./flat/flat-bench.js');
    return benchFlat(write, { tasks, seconds: seconds ?? HOSTILE_SECONDS, rounds });
  },
  growth: async (write) => (await import('./table-growth.js')).benchGrowth(write),
  hostile: async (write, { seconds, rounds }) => {
    const { benchHostile } = await import('./hostile/hostile-bench.js');
    return benchHostile(write, { seconds: seconds ?? HOSTILE_SECONDS, rounds });
  },
  indexer: async (write, sizes) => (await import('./indexer/indexer-bench.js')).benchIndexer(write, sizes),
  match: async (write, { agents, data }) => (await import('./matches/match-bench.js')).benchMatch(write, agents, data),
  memory: async (write, { tasks, agents, seconds, data }) => {
    const { benchMemory } = await import('./memory/memory-bench.js');
    return benchMemory(write, data, { tasks, agents, seconds: seconds ?? MEMORY_SECONDS });
  },
  reindex: async (write, { trees }) => (await import('./indexer/reindex-bench.js')).benchReindex(write, trees),
  scaling: async (write, { tasks, seconds, rounds }) => {
    return (await import('./scaling/scaling-bench.js')).benchScaling(write, {
      tasks,
      seconds: seconds ?? SECONDS,
      rounds,
    });
  },
  settlement: async (write, { samples, whales }) => {
    return (await import('./reputation/settlement-bench.js')).benchSettlement(write, samples, whales);
  },
  trust: async (write, { agents }) => {
    const { benchFirstRun, benchTrust } = await import('./reputation/trust-bench.js');
    const isMet = await benchTrust(write);
    await benchFirstRun(write, agents);
    return isMet;
  },
};

/** `npm run bench [-- OPTIONS]` (bench-options.ts): prints and stores ratios against baselines of the same run. */
async function bench(options: BenchOptions): Promise<boolean> {
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const { only } = options;
  if (only === 'list') {
    const { compareLists } = await import('./lists/all-lists-bench.js');
    const { tasks, seconds, rounds } = options;
    const comparisons = await compareLists(write, { tasks, seconds: seconds ?? SECONDS, rounds });
    for (const comparison of comparisons) print(comparison, write);
    return true;
  }
  const chosen = COMPARISONS.filter((name) => only === null || only === name);
  if (only !== null && isAlone(only)) return ALONE[only](write, options);
  await compareAll(chosen, options, write);
  return true;
}

function isAlone(name: ComparisonName | AloneName): name is AloneName {
  return Object.hasOwn(ALONE, name);
}

async function compareAll(
  chosen: readonly ComparisonName[],
  { tasks, seconds, rounds }: BenchOptions,
  write: WriteLine,
): Promise<void> {
  const market = await startBenchMarket(tasks, write);
  const bare: ChildProcess[] = [];
  const start = async (name: string, args: readonly string[]): Promise<{ port: number; pid: number }> => {
    const { child, port } = await startBare(name, args);
    bare.push(child);
    return { port, pid: child.pid ?? Number.NaN };
  };
  try {
    const settings = { seconds: seconds ?? SECONDS, rounds };
    const run = runsOf(market, start, tasks, settings);
    const comparisons: Comparison[] = [];
    for (const name of chosen) comparisons.push(...[await run[name]()].flat());
    await market.assertWhole();
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

function runsOf(
  market: BenchMarket,
  start: (name: string, args: readonly string[]) => Promise<{ port: number; pid: number }>,
  tasks: number,
  settings: { seconds: number; rounds: number },
): Record<ComparisonName, () => Promise<Comparison | Comparison[]>> {
  return {
    list: async () => {
      const bareList = await start('bare/bare-list', [market.file.database_url, market.caller.account_id]);
      return compareList(market, bareList, settings);
    },
    deep: () => compareDeepPage(market, tasks, settings),
    prepare: () => comparePrepare(market, (order) => start('bare/bare-prepare', [JSON.stringify(order)]), settings),
    auth: () => compareCredentials(market, settings),
  };
}

function print({ title, sides, ratio }: Comparison, write: WriteLine): void {
  write(`\n  ${title}`);
  for (const { name, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest } of sides) {
    const cpu = cpuMicrosPerRequest === null ? '' : `  ${cpuMicrosPerRequest.toFixed(0).padStart(6)} µs CPU/request`;
    const times = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
    write(`    ${name.padEnd(52)} ${requestsPerSecond.toFixed(0).padStart(7)} req/s  ${times}${cpu}`);
  }
  write(`    ratio ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`);
}

try {
  process.exitCode = (await bench(benchOptions(argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof LocalFault)) throw error;
  stderr.write(`${error.message}\n`);
  process.exitCode = exitCodeOf(error);
}
