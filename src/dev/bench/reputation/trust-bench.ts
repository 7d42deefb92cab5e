import { once } from 'node:events';
import { cpus } from 'node:os';
import { version } from 'node:process';
import { Worker } from 'node:worker_threads';
import { DataSource } from 'typeorm';
import { entities } from '../../../entities.js';
import { migrations } from '../../../migrations.js';
import { runTrustBatch } from '../../../modules/reputation/runs/batch/trust-batch.js';
import { dataSourceOptions } from '../../../platform/database/data-source.options.js';
import { urlOf, withScratchPostgres } from '../../eval/scratch-postgres.js';
import type { WriteLine } from '../../processes/progress.js';
import { firstRunData, settlementData, BEGIN_RUN } from './settlement-data.sql.js';
import type { TrustBenchOrder, TrustBenchResult } from './trust-bench.worker.js';

const MIB = 2 ** 20;
/**
 * Bar, as a multiple of the time that sorting the same settlements takes. On the machine that it was set on it stands
 * for 30 s (docs/decisions/ranking.md#evaluation); a number of seconds would depend on the machine.
 */
const MOST_RATIO = 20;

const ORDER: TrustBenchOrder = { principals: 1_000_000, settlements: 10_000_000, anchors: 5_000, seed: 20261122 };

/**
 * Measures the computing part of the trust batch at ten million settlements, in one worker thread as in production:
 * clusters, money graph, the walks of five cohorts, their medians. It does not include reading and writing the
 * database.
 * @returns whether the time stayed below the bar.
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

/** Settlements of each agent, which are also its number of buyers. */
const SETTLEMENTS_OF_ONE = 20;
const VERIFIED = 50;

/**
 * Times two whole runs on a database. The first must count every settlement, as after a migration that deleted the
 * evidence. It has no bar: a run must fit into TRUST_INTERVAL, which the operator chooses.
 */
export async function benchFirstRun(write: WriteLine, agents: number): Promise<void> {
  await withScratchPostgres(async (client) => {
    const databaseUrl = urlOf(client);
    const dataSource = new DataSource(dataSourceOptions(databaseUrl, { entities, migrations }));
    await dataSource.initialize();
    try {
      await dataSource.runMigrations();
    } finally {
      await dataSource.destroy();
    }
    const data = settlementData(agents, agents * SETTLEMENTS_OF_ONE, SETTLEMENTS_OF_ONE);
    for (const statement of [...data, ...firstRunData]) await client.query(statement);
    const anchors = Array.from({ length: VERIFIED }, (_, i) => ({ accountId: `acct_${1 + i}`, key: String(i) }));
    write(`  Whole runs: ${agents.toLocaleString('en')} agents of ${SETTLEMENTS_OF_ONE} settlements each`);
    for (const name of ['the first, which counts all', 'the next']) {
      const { rows } = await client.query<{ id: number }>(BEGIN_RUN);
      const order = { databaseUrl, runId: rows[0]?.id ?? 0, asOfMs: Date.UTC(2026, 10, 21), anchors };
      const began: [phase: string, atMs: number][] = [];
      await runTrustBatch(order, (phase) => began.push([phase, performance.now()]));
      began.push(['', performance.now()]);
      const [[, start]] = began as [[string, number]];
      const phases = began.slice(1).map(([, atMs], i) => {
        const [phase = '', beginMs = atMs] = began[i] ?? [];
        return `${phase} ${((atMs - beginMs) / 1000).toFixed(1)} s`;
      });
      const seconds = ((began.at(-1)?.[1] ?? start) - start) / 1000;
      write(`    ${name.padEnd(30)} ${seconds.toFixed(2).padStart(8)} s: ${phases.join(', ')}`);
    }
  });
}

function sumOf({ parts }: TrustBenchResult, figure: 'seconds' | 'cpuSeconds'): number {
  return parts.reduce((sum, part) => sum + part[figure], 0);
}
