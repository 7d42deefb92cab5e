import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { version } from 'node:process';
import type { WriteLine } from '../../processes/progress.js';
import { type BenchMarket, startBenchMarket } from '../bench-market.js';
import type { LoadOrder, LoadRequests, LoadResult } from '../load-order.js';
import { carriedOut, median, repeated } from '../measure.js';
import {
  cpuSeconds,
  familyOf,
  familySeconds,
  parentOf,
  type ProcessorSeconds,
  processorSeconds,
} from '../processor-time.js';
import { fundedNode } from '../requests/prepare-bench.js';
import { ANSWERING_PROCESS } from './scaling-bench.sql.js';

/** Connections of a whole load, shared equally among the service processes. */
const READERS = 24;
/** Fewer than the actions of one account that a process prepares at once: it refuses more with 429. */
const PREPARERS = 6;
/** Processes of the service that share the load, in the order in which each round measures them. */
const PROCESSES = [1, 2, 3] as const;
const PAGE = 20;
/**
 * From this share of a processor's time on, the processor is what bounds a throughput. Less than one, because the load's
 * processes start and end within the time that is measured.
 */
const FULL = 0.9;
const MICROS = 1e6;

interface SharedLoad {
  connections: number;
  requests: LoadRequests;
}

interface ServiceProcess {
  port: number;
  pid: number;
}

/** What a load is measured on. */
interface Measured extends SharedLoad {
  services: readonly ServiceProcess[];
  /** Id of the process that starts all others of Postgres. */
  postgres: number;
  /** True: Postgres has the last processor alone. */
  isPinned: boolean;
}

/** One load on some of the service's processes. */
interface Sample {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time per request of the service's processes and of Postgres, in microseconds. */
  serviceMicros: number;
  postgresMicros: number;
  /** Share of one processor that the busiest service process used. */
  busiest: number;
  /** Share that was in use of the processors which the service and the load may use, and of those of Postgres. */
  shared: number;
  ofPostgres: number;
}

/**
 * `npm run bench -- --only scaling`: the throughput of one, two and three processes of the service on one machine, on the
 * same database and with the same number of connections: first with all processors for everything, then with Postgres
 * alone on one of them. It says what bounds each: a process's one thread, Postgres' processor, or the whole machine.
 * There is no bar: how far it scales depends on how many processors there are.
 */
export async function benchScaling(
  write: WriteLine,
  { tasks, seconds, rounds }: { tasks: number; seconds: number; rounds: number },
): Promise<boolean> {
  const market = await startBenchMarket(tasks, write);
  try {
    const services = await startServices(market);
    const [row] = await market.query(ANSWERING_PROCESS);
    const postgres = parentOf(Number(row?.pid));
    const loads = await loadsOf(market);
    write(
      `\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, ${tasks.toLocaleString('en')} tasks`,
    );
    for (const isPinned of [false, true]) {
      if (isPinned && !pin(write, postgres, services)) break;
      for (const [name, shared] of Object.entries(loads)) {
        write(`\n  ${name}${isPinned ? ', Postgres alone on one processor' : ''}`);
        const samples = await measured({ services, postgres, isPinned, ...shared }, { seconds, rounds });
        for (const count of PROCESSES) tell(write, count, samples);
      }
    }
    await market.assertWhole();
    return true;
  } finally {
    await market.stop();
  }
}

/** The processes of the service: the market's own, which also follows the chain, and others beside it. */
async function startServices({ file, servicePid, startBeside }: BenchMarket): Promise<ServiceProcess[]> {
  const services = [{ port: Number(new URL(file.base_url).port), pid: servicePid }];
  while (services.length < PROCESSES.length) services.push(await startBeside());
  return services;
}

async function loadsOf(market: BenchMarket): Promise<Record<string, SharedLoad>> {
  const { host } = new URL(market.file.base_url);
  const { taskId, id, workerKey } = await fundedNode(market);
  const key = market.caller.keys.read;
  const read = `GET /v1/tasks?limit=${PAGE} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\n\r\n`;
  const prepare =
    `POST /v1/tasks/${taskId}/nodes/${id}/abandon-intents HTTP/1.1\r\nHost: ${host}\r\n` +
    `X-Api-Key: ${workerKey}\r\nIdempotency-Key: bench-{{n}}\r\nContent-Length: 0\r\n\r\n`;
  return {
    [`GET /v1/tasks?limit=${PAGE}`]: { connections: READERS, requests: repeated(read) },
    // The actions of a wallet take their nonces from one row, one after the other, whichever process prepares them.
    'POST …/abandon-intents of one wallet': { connections: PREPARERS, requests: repeated(prepare) },
  };
}

/**
 * Leaves Postgres the last processor alone, and the service and the load the others. A machine with one processor, or
 * without `taskset`, cannot do that.
 */
function pin(write: WriteLine, postgres: number, services: readonly ServiceProcess[]): boolean {
  const last = availableParallelism() - 1;
  try {
    if (last < 1) throw new Error('this machine has one processor');
    for (const pid of familyOf(postgres)) taskset(String(last), pid);
    // The load's processes inherit this from the bench.
    for (const pid of [process.pid, ...services.map((service) => service.pid)]) taskset(`0-${last - 1}`, pid);
    return true;
  } catch (error) {
    write(
      `\n  Not measured with Postgres alone on one processor: ${error instanceof Error ? error.message : String(error)}`,
    );
    return false;
  }
}

function taskset(processors: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors, String(pid)], { stdio: 'pipe' });
}

/** Loads one, two and three processes in turn, round after round. The first round warms up and is not counted. */
async function measured(
  subject: Measured,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>(PROCESSES.map((count) => [count, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const count of PROCESSES) {
      const used = { ...subject, services: subject.services.slice(0, count) };
      const sample = await load(used, round === 0 ? Math.min(2, seconds) : seconds);
      if (round > 0) samples.get(count)?.push(sample);
    }
  }
  return samples;
}

async function load(
  { services, postgres, isPinned, connections, requests }: Measured,
  seconds: number,
): Promise<Sample> {
  const share = connections / services.length;
  const used = (): number[] => services.map(({ pid }) => cpuSeconds(pid) ?? Number.NaN);
  const now = () => ({ services: used(), postgres: familySeconds(postgres), processors: processorSeconds() });
  const before = now();
  const results = await Promise.all(
    services.map(({ port }) => {
      return carriedOut<LoadResult>('load', { port, connections: share, seconds, requests } satisfies LoadOrder);
    }),
  );
  const after = now();
  const refused = results.flatMap(({ statuses }) => Object.keys(statuses).filter((status) => status !== '200'));
  if (refused.length > 0) throw new Error(`The service answered ${refused.join(', ')}`);
  const count = results.reduce((sum, { requests: sent }) => sum + sent, 0);
  const each = after.services.map((then, n) => then - (before.services[n] ?? 0));
  const processors = after.processors.map(({ busy, total }, n) => {
    return { busy: busy - (before.processors[n]?.busy ?? 0), total: total - (before.processors[n]?.total ?? 0) };
  });
  return {
    perSecond: results.reduce((sum, result) => sum + result.requests / result.seconds, 0),
    p50: median(results.map(({ p50 }) => p50)),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    serviceMicros: (each.reduce((sum, one) => sum + one, 0) * MICROS) / count,
    postgresMicros: ((after.postgres - before.postgres) * MICROS) / count,
    busiest: Math.max(...each) / Math.max(...results.map((result) => result.seconds)),
    shared: shareOf(isPinned ? processors.slice(0, -1) : processors),
    ofPostgres: shareOf(isPinned ? processors.slice(-1) : processors),
  };
}

/** Which part of their time these processors were in use. */
function shareOf(processors: readonly ProcessorSeconds[]): number {
  const sum = (member: keyof ProcessorSeconds): number => processors.reduce((all, each) => all + each[member], 0);
  return sum('busy') / sum('total');
}

function tell(write: WriteLine, count: number, samples: Map<number, Sample[]>): void {
  const own = samples.get(count) ?? [];
  const of = (member: keyof Sample): number => median(own.map((sample) => sample[member]));
  const ratios = own.map(({ perSecond }, round) => perSecond / (samples.get(1)?.[round]?.perSecond ?? Number.NaN));
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  write(
    `    ${count === 1 ? '1 process  ' : `${count} processes`} ${of('perSecond').toFixed(0).padStart(6)} req/s` +
      `  ${median(ratios).toFixed(2)} × of one  p50 ${of('p50').toFixed(1)} ms  p99 ${of('p99').toFixed(1)} ms` +
      `  CPU/request ${of('serviceMicros').toFixed(0)} µs, Postgres ${of('postgresMicros').toFixed(0)} µs` +
      `  busy: process ${percent(of('busiest'))}, its processors ${percent(of('shared'))}, Postgres' ${percent(of('ofPostgres'))}` +
      `  bound by ${boundBy({ busiest: of('busiest'), shared: of('shared'), ofPostgres: of('ofPostgres') })}`,
  );
}

/** What cannot do more, from the shares of processors that were in use. */
export function boundBy({ busiest, shared, ofPostgres }: Pick<Sample, 'busiest' | 'shared' | 'ofPostgres'>): string {
  if (shared >= FULL) return 'the processors of service and load';
  if (ofPostgres >= FULL) return 'the processors of Postgres';
  if (busiest >= FULL) return "a process's one thread";
  return 'waiting: locks, or too few connections';
}
