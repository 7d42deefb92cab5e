import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadRequests, LoadResult } from './load-order.js';
import { cpuSeconds } from './processor-time.js';

/** One side of a comparison: a port, the requests to send there, and the process that answers. */
export interface Side {
  name: string;
  port: number;
  pid: number;
  /** The requests, or a function that makes them anew for each load when a load uses them up. */
  requests: LoadRequests | (() => Promise<LoadRequests>);
}

/** The same whole requests, sent in turn over and over. */
export function repeated(...requests: string[]): LoadRequests {
  return { kind: 'repeated', requests };
}

/** The figures of one side, each the median over the rounds. */
export interface SideFigures {
  name: string;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** User and system CPU time of the answering process; null where /proc is missing. */
  cpuMicrosPerRequest: number | null;
}

export interface Comparison {
  title: string;
  sides: SideFigures[];
  /** Throughput of the first side divided by that of the second: median, least and most over the rounds. */
  ratio: Spread;
}

/** Median, least and most of some values. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

const built = (name: string): string => fileURLToPath(new URL(`./${name}.main.js`, import.meta.url));

/** Starts a program of this folder that prints `{"port": …}` once it listens. */
export async function startBare(name: string, args: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [built(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const [line]: unknown[] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const listening: unknown = JSON.parse(String(line));
  if (typeof listening === 'object' && listening !== null && 'port' in listening) {
    return { child, port: Number(listening.port) };
  }
  throw new Error(`${name} said ${String(line)} instead of its port`);
}

/**
 * Runs a program of this folder with `order` as JSON on its standard input.
 * @returns the JSON that it prints when it ends.
 * @throws Error when it ends without printing JSON.
 */
export async function carriedOut<Result>(name: string, order: object): Promise<Result> {
  const child = spawn(process.execPath, [built(name)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const end = (): void => void child.kill();
  process.once('exit', end);
  child.stdin.end(JSON.stringify(order));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  process.off('exit', end);
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
  return JSON.parse(output) as Result;
}

/**
 * Loads both sides in turn, round after round, so that a drift of the machine's speed touches both alike. The first
 * round warms up and is not counted.
 * @throws Error when an answer is not a 200: a refused request would be the fastest of all.
 */
export async function compare(
  title: string,
  sides: readonly [Side, Side],
  { connections, seconds, rounds }: { connections: number; seconds: number; rounds: number },
): Promise<Comparison> {
  const taken: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    for (const index of [0, 1] as const) {
      const sample = await load(sides[index], connections, round === 0 ? Math.min(2, seconds) : seconds);
      if (round > 0) taken[index].push(sample);
    }
  }
  const ratios = taken[0].map((sample, round) => sample.rps / (taken[1][round]?.rps ?? Number.NaN));
  return {
    title,
    sides: sides.map((side, index) => figures(side.name, taken[index === 0 ? 0 : 1])),
    ratio: spreadOf(ratios),
  };
}

interface Sample extends LoadResult {
  rps: number;
  cpuMicros: number | null;
}

async function load(side: Side, connections: number, seconds: number): Promise<Sample> {
  const { port, requests } = side;
  const order: LoadOrder = {
    port,
    connections,
    seconds,
    requests: typeof requests === 'function' ? await requests() : requests,
  };
  const before = cpuSeconds(side.pid);
  const result = await carriedOut<LoadResult>('load', order);
  const after = cpuSeconds(side.pid);
  const refused = Object.keys(result.statuses).filter((status) => status !== '200');
  if (refused.length > 0) throw new Error(`${side.name} answered ${JSON.stringify(result.statuses)}`);
  const cpuMicros = before === null || after === null ? null : ((after - before) * 1e6) / result.requests;
  return { ...result, rps: result.requests / result.seconds, cpuMicros };
}

function figures(name: string, samples: readonly Sample[]): SideFigures {
  const cpu = samples.flatMap(({ cpuMicros }) => (cpuMicros === null ? [] : [cpuMicros]));
  return {
    name,
    requestsPerSecond: median(samples.map(({ rps }) => rps)),
    p50Ms: median(samples.map(({ p50 }) => p50)),
    p99Ms: median(samples.map(({ p99 }) => p99)),
    cpuMicrosPerRequest: cpu.length === 0 ? null : median(cpu),
  };
}

/** The smallest value that is at least as large as this share (0 to 1) of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
