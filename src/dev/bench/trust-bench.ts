import { once } from 'node:events';
import { cpus } from 'node:os';
import { version } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { WriteLine } from '../progress.js';
import type { TrustBenchOrder, TrustBenchResult } from './trust-bench.worker.js';

const MIB = 2 ** 20;
/**
 * Bar, as a multiple of what sorting the same settlements takes. It stands for 30 s
 * (docs/decisions/ranking.md#evaluation) on the machine that it was made for; a number of seconds would judge the
 * machine.
 */
const MOST_RATIO = 20;

const ORDER: TrustBenchOrder = { principals: 1_000_000, settlements: 10_000_000, anchors: 5_000, seed: 20261122 };

/**
 * The pure part of the trust batch at ten million settlements, in one worker thread as it runs in production: clusters,
 * money graph, the walks of five cohorts, their medians. Reading and writing the database is not in it.
 * @returns whether it stayed below the bar.
 */
export async function benchTrust(write: WriteLine): Promise<boolean> {
  const worker = new Worker(new URL('./trust-bench.worker.js', import.meta.url), { workerData: ORDER });
  const [result]: TrustBenchResult[] = await once(worker, 'message');
  if (!result) throw new Error('The worker said nothing');
  const { principals, settlements, anchors, seed } = ORDER;
  const total = sumOf(result, 'seconds');
  write(`\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, seed ${seed}`);
  write(
    `  ${settlements.toLocaleString('en')} settlements of ${principals.toLocaleString('en')} accounts, ` +
      `${result.clusters.toLocaleString('en')} clusters, ${result.edges.toLocaleString('en')} edges, ` +
      `${anchors.toLocaleString('en')} anchors, ${result.reached.toLocaleString('en')} reached`,
  );
  const batch = { name: 'batch in one worker thread', seconds: total, cpuSeconds: sumOf(result, 'cpuSeconds') };
  for (const { name, seconds, cpuSeconds } of [...result.parts, batch]) {
    write(`    ${name.padEnd(30)} ${seconds.toFixed(2).padStart(8)} s, of CPU ${cpuSeconds.toFixed(2).padStart(6)} s`);
  }
  const ratio = total / result.baselineSeconds;
  const isMet = ratio <= MOST_RATIO;
  write(`    ${'sorting as many numbers'.padEnd(30)} ${result.baselineSeconds.toFixed(2).padStart(8)} s`);
  write(`    ratio ${ratio.toFixed(1)}; bar: at most ${MOST_RATIO}: ${isMet ? 'met' : 'missed'}`);
  write(
    `    memory of the process ${Math.round(result.residentBytes / MIB)} MiB, ` +
      `of it typed arrays ${Math.round(result.arrayBytes / MIB)} MiB\n`,
  );
  return isMet;
}

function sumOf({ parts }: TrustBenchResult, figure: 'seconds' | 'cpuSeconds'): number {
  return parts.reduce((sum, part) => sum + part[figure], 0);
}
