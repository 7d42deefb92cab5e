import { cpus } from 'node:os';
import { version } from 'node:process';
import { DataSource, type EntityManager } from 'typeorm';
import { entities } from '../../../entities.js';
import { migrations } from '../../../migrations.js';
import { Clock } from '../../../platform/time/clock.js';
import { ReputationService } from '../../../modules/reputation/reputation.service.js';
import { SettlementEntity } from '../../../modules/reputation/settlements/settlement.entity.js';
import { addSettlements } from '../../../modules/reputation/settlements/settlement-rows.js';
import { dataSourceOptions } from '../../../platform/database/data-source.options.js';
import { Seeded } from '../../eval/statistics/seeded.js';
import { urlOf, withScratchPostgres } from '../../eval/scratch-postgres.js';
import type { WriteLine } from '../../processes/progress.js';
import type { BenchOptions } from '../bench-options.js';
import { quantile } from '../measure.js';
import { settlementData, whaleData, BARE_SUM, DELETE_SETTLEMENT } from './settlement-data.sql.js';

const SEED = 20261122;
const AGENTS = 20_000;
const SETTLEMENTS = 400_000;
/** Number of buyers who have hired the busiest agent. */
const BUYERS_OF_ONE = 2_000;
/** The owner whose agents these settlements are of. */
const OF_THE_OWNER = { workerAccountId: 'acct_of_agent_owned' };
/** Number of settlements that the index writes in one transaction. */
const OF_A_COMMIT = 50;
/** Bar, in milliseconds, for the p95 of every whale. It is only printed and fails no run, because machines differ. */
const WHALE_BAR_MS = 5;
/** Settlements of each kind made before those that count. */
const WARM_UP = 100;
/**
 * A transaction of many settlements takes about as long as many transactions, so this many times fewer are measured.
 */
const FEWER_COMMITS = 5;
/**
 * Bar for the p95 of a usual agent's settlement, as a multiple of the bare update's p95. On the machine that it was set
 * on it stands for 5 ms (docs/decisions/ranking.md#evaluation); a number of milliseconds would depend on the machine.
 */
const MOST_RATIO = 4;

interface Sides {
  settled: number[];
  bare: number[];
}

/**
 * Times the settlement of one node, up to the agent's reputation record, in its own transaction, beside a bare update
 * that inserts the settlement's row and adds to a sum in the record. The two alternate, so that a drift of the
 * machine's speed affects both alike.
 * @returns whether the p95 of the usual agent stayed below the bar.
 */
export async function benchSettlement(
  write: WriteLine,
  samples: number,
  whales: BenchOptions['whales'],
): Promise<boolean> {
  return withScratchPostgres(async (client) => {
    const dataSource = new DataSource(dataSourceOptions(urlOf(client), { entities, migrations }));
    await dataSource.initialize();
    try {
      await dataSource.runMigrations();
      for (const statement of settlementData(AGENTS, SETTLEMENTS, BUYERS_OF_ONE)) await client.query(statement);
      for (const statement of whaleData(whales)) await client.query(statement);
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}`;
      write(`\n  ${machine}, PostgreSQL ${rows[0]?.server_version ?? 'unknown'}, seed ${SEED}`);
      write(
        `  ${SETTLEMENTS.toLocaleString('en')} settlements of ${AGENTS.toLocaleString('en')} agents, ` +
          `${samples.toLocaleString('en')} samples of each kind`,
      );
      const chance = new Seeded(SEED);
      const usual = await alternate(dataSource, 'any', () => `agent_${1 + chance.below(AGENTS)}`, samples);
      print(write, 'One settlement → record, any agent', usual);
      const busiest = await alternate(dataSource, 'busy', () => 'agent_busy', samples);
      print(write, `The same for one agent of ${BUYERS_OF_ONE.toLocaleString('en')} buyers`, busiest);
      await printWhales(write, dataSource, samples, whales);
      const ratio = quantile(usual.settled, 0.95) / quantile(usual.bare, 0.95);
      const isMet = ratio <= MOST_RATIO;
      write(
        `\n  ratio of p95 for any agent ${ratio.toFixed(2)}; bar: at most ${MOST_RATIO}: ${isMet ? 'met' : 'missed'}\n`,
      );
      return isMet;
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Prints each whale without a bare update beside it, because the bare update takes the same time for all of them. */
async function printWhales(
  write: WriteLine,
  dataSource: DataSource,
  samples: number,
  { dealt, owned, buyers }: BenchOptions['whales'],
): Promise<void> {
  const count = (number: number): string => number.toLocaleString('en');
  for (const [title, name, agentOf, change] of [
    [`A pair with ${count(dealt)} settlements`, 'pair', () => 'agent_pair', { payerAccountId: 'acct_1' }],
    [
      `Agents of one owner with ${count(owned)}`,
      'owned',
      (round) => `agent_owned_${1 + (round % owned)}`,
      OF_THE_OWNER,
    ],
    [`An agent of ${count(buyers)} buyers`, 'known', () => 'agent_known', {}],
  ] as [string, string, (round: number) => string, Partial<SettlementEntity>][]) {
    const times: number[] = [];
    for (let round = 0; round < WARM_UP + samples; round += 1) {
      const row = Object.assign(settlementOf(agentOf(round), `node_${name}_${round}`), change);
      times.push(await settleAtOnce(dataSource, [row]));
    }
    const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => quantile(times.slice(WARM_UP), share));
    const figures = `p50 ${p50.toFixed(2).padStart(7)} ms  p95 ${p95.toFixed(2).padStart(7)} ms`;
    write(`  ${title.padEnd(44)} ${figures}: ${p95 < WHALE_BAR_MS ? 'met' : 'missed'}`);
  }
  const commits: number[] = [];
  const counted = Math.ceil(samples / FEWER_COMMITS);
  const warmUp = Math.ceil(WARM_UP / FEWER_COMMITS);
  for (let round = 0; round < warmUp + counted; round += 1) {
    const rows = Array.from({ length: OF_A_COMMIT }, (_, place) => {
      const number = round * OF_A_COMMIT + place;
      return settlementOf(`agent_${1 + ((number * 7919) % AGENTS)}`, `node_commit_${number}`);
    });
    commits.push((await settleAtOnce(dataSource, rows)) / OF_A_COMMIT);
  }
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(commits.slice(warmUp), share).toFixed(2));
  write(`  ${`${OF_A_COMMIT} in one transaction, each`.padEnd(44)} p50 ${p50} ms, p95 ${p95} ms`);
}

function settleAtOnce(dataSource: DataSource, rows: readonly SettlementEntity[]): Promise<number> {
  const service = new ReputationService(new Clock());
  return timed(dataSource, async (manager) => {
    await addSettlements(manager, rows);
    await service.settle(manager, rows);
  });
}

async function alternate(dataSource: DataSource, name: string, agentOf: () => string, rounds: number): Promise<Sides> {
  const sides: Sides = { settled: [], bare: [] };
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const settled = await settleAtOnce(dataSource, [settlementOf(agentOf(), `node_${name}_settled_${round}`)]);
    const bare = await timed(dataSource, async (manager) => {
      const row = settlementOf(agentOf(), `node_${name}_bare_${round}`);
      await addSettlements(manager, [row]);
      await manager.query(BARE_SUM, [row.agentId, row.released.toString()]);
    });
    if (round < 0) continue;
    sides.settled.push(settled);
    sides.bare.push(bare);
    // What the bare update has not counted must not be found by the next settlement.
    await dataSource.query(DELETE_SETTLEMENT, [`node_${name}_bare_${round}`]);
  }
  return sides;
}

async function timed(dataSource: DataSource, work: (manager: EntityManager) => Promise<void>): Promise<number> {
  const begun = performance.now();
  await dataSource.transaction(work);
  return performance.now() - begun;
}

function settlementOf(agentId: string, nodeId: string): SettlementEntity {
  const number = Number(/\d+/.exec(nodeId)?.[0] ?? 0);
  const buyer = 1 + (number % AGENTS);
  return Object.assign(new SettlementEntity(), {
    nodeId,
    taskId: 'task_bench',
    agentId,
    workerAccountId: `acct_of_${agentId}`,
    payerAccountId: `acct_${buyer}`,
    payerWallet: `0x${String(buyer).padStart(40, '0')}`,
    workerWallet: `0x${agentId.padStart(40, 'f').slice(-40)}`,
    amount: 100_000_000n,
    released: 100_000_000n,
    outcome: 'accepted',
    settledAt: new Date(Date.UTC(2026, 10, 20) + number),
  });
}

function print(write: WriteLine, title: string, { settled, bare }: Sides): void {
  write(`\n  ${title}`);
  for (const [name, times] of [
    ['settlement, evidence and record', settled],
    ['bare: settlement and a sum', bare],
  ] as const) {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => `${quantile(times, share).toFixed(2).padStart(7)} ms`);
    write(`    ${name.padEnd(34)} p50 ${p50}  p95 ${p95}  p99 ${p99}`);
  }
}
