import { cpus } from 'node:os';
import { version } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../../../app.module.js';
import { entities } from '../../../entities.js';
import { migrations } from '../../../migrations.js';
import { IndexerService } from '../../../modules/escrow/indexer/indexer.service.js';
import { Environment } from '../../../platform/config/environment.js';
import { dataSourceOptions } from '../../../platform/database/data-source.options.js';
import { Seeded } from '../../eval/statistics/seeded.js';
import { urlOf, withScratchPostgres } from '../../eval/scratch-postgres.js';
import type { WriteLine } from '../../processes/progress.js';
import { median, spreadOf } from '../measure.js';
import { BareIndex } from './bare-index.js';
import { LOGS_PER_TREE, makeTrees, mineTrees } from './bench-trees.js';
import { ARE_LOGGED, COUNT_SHOWN } from './bench-trees.sql.js';
import { benchHostileTree, treesOfHostile } from './hostile-tree.js';
import { ScriptedChain } from './scripted-chain.js';
import { SCRIPTED_FACTORY } from './scripted-contracts.js';

export const SEED = 20261125;
export const CHAIN_ID = 31337;
/** Blocks that the bare program fetches in one request: the index's own largest range. */
const BARE_RANGE = 10_000;
/**
 * The bar, as a share of the bare program's speed in the same run, because a number of logs a second would depend on
 * the machine.
 */
const LEAST_RATIO = 0.5;

/** Milliseconds between two looks at whether all events are in the log. */
const LOOK_MS = 10;

/** Seconds of both sides, one after the other. */
interface Round {
  readonly seconds: number;
  readonly bareSeconds: number;
}

/**
 * Measures how fast an empty index catches up with a chain of `trees` trees until all are shown and all their events are
 * in the log, beside a program that fetches the same logs and writes the same final rows, which it knows beforehand: in
 * turn, in `rounds` new databases. Then measures one hostile tree of `nodes` nodes in the last of them.
 * @returns whether the index is at least half as fast as that program, by the median of the rounds, and the hostile tree
 * delays no other tree beyond the bar.
 */
export async function benchIndexer(
  write: WriteLine,
  { trees, nodes, rounds }: { trees: number; nodes: number; rounds: number },
): Promise<boolean> {
  const taken: Round[] = [];
  let isMet = true;
  while (taken.length < rounds) {
    await withScratchPostgres(async (client) => {
      await makeTables(urlOf(client));
      const chain = await ScriptedChain.start(CHAIN_ID, Date.UTC(2026, 0, 1) / 1000);
      try {
        const made = await makeTrees(client, new Seeded(SEED), trees + treesOfHostile(nodes));
        mineTrees(chain, made.slice(0, trees));
        taken.push(await compareOnce(client, chain, trees));
        if (taken.length < rounds) return;
        await describe(write, client, chain, trees);
        const isFast = print(write, trees, taken);
        const hasNoLag = await withIndexer(urlOf(client), chain, (context) =>
          benchHostileTree(write, { client, chain, indexer: indexerOf(context) }, made.slice(trees), nodes),
        );
        isMet = isFast && hasNoLag;
      } finally {
        await chain.stop();
      }
    });
  }
  return isMet;
}

/** Has the index catch up, then the bare program write the same rows. */
async function compareOnce(client: pg.Client, chain: ScriptedChain, trees: number): Promise<Round> {
  const seconds = await withIndexer(urlOf(client), chain, async (context) => {
    const shown = await caughtUpSeconds(indexerOf(context));
    return shown + (await loggedSeconds(client));
  });
  await assertWhole(client, trees);
  const bare = await BareIndex.take(client);
  const begun = performance.now();
  const fetched = await bare.write(client, chain.url, chain.head, BARE_RANGE);
  const bareSeconds = (performance.now() - begun) / 1000;
  await assertWhole(client, trees);
  if (fetched !== trees * LOGS_PER_TREE) throw new Error(`The bare program fetched ${fetched} logs`);
  return { seconds, bareSeconds };
}

async function describe(write: WriteLine, client: pg.Client, chain: ScriptedChain, trees: number): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}`;
  write(`\n  ${machine}, PostgreSQL ${rows[0]?.server_version ?? 'unknown'}, seed ${SEED}`);
  const logs = (trees * LOGS_PER_TREE).toLocaleString('en');
  write(`  ${logs} logs of ${trees.toLocaleString('en')} trees in ${chain.head} blocks`);
}

/** Prints the medians of the rounds. @returns whether the bar is met. */
function print(write: WriteLine, trees: number, taken: readonly Round[]): boolean {
  const side = (name: string, seconds: readonly number[]): void => {
    const middle = median(seconds);
    const speed = Math.round((trees * LOGS_PER_TREE) / middle);
    write(`    ${name.padEnd(36)} ${speed} logs/s (${middle.toFixed(2)} s)`);
  };
  side(
    'index, everything shown and told',
    taken.map(({ seconds }) => seconds),
  );
  side(
    'bare: fetch and COPY',
    taken.map(({ bareSeconds }) => bareSeconds),
  );
  const ratio = spreadOf(taken.map(({ seconds, bareSeconds }) => bareSeconds / seconds));
  const isMet = ratio.median >= LEAST_RATIO;
  const range = `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)} in ${taken.length} rounds`;
  write(`\n  ratio ${ratio.median.toFixed(2)} (${range}); bar: at least ${LEAST_RATIO}: ${isMet ? 'met' : 'missed'}\n`);
  return isMet;
}

/** Runs `work` with the service, whose own indexer advances only when `work` tells it to. */
export async function withIndexer<T>(
  databaseUrl: string,
  chain: ScriptedChain,
  work: (context: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const environment = Object.assign(new Environment(), {
    databaseUrl,
    rpcUrl: chain.url,
    chainId: CHAIN_ID,
    escrowFactoryAddress: SCRIPTED_FACTORY,
    baseUrl: 'http://127.0.0.1',
    appSecret: 'a secret of the bench, long enough for HKDF',
    keyEnvironment: 'test',
    indexerEnabled: false,
    logLevel: 'silent',
  });
  const context = await NestFactory.createApplicationContext(AppModule.register(environment), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

function indexerOf(context: INestApplicationContext): IndexerService {
  return context.get(IndexerService, { strict: false });
}

/** Seconds from the indexer's first step until the last tree is shown. */
export async function caughtUpSeconds(indexer: IndexerService): Promise<number> {
  const begun = performance.now();
  while ((await indexer.advance()) === 'again');
  await indexer.settled();
  return (performance.now() - begun) / 1000;
}

/** Seconds until all events that are recorded by now, and those that follow from them, are in the log. */
async function loggedSeconds(client: pg.Client): Promise<number> {
  const begun = performance.now();
  while (!(await client.query<{ logged: boolean }>(ARE_LOGGED)).rows[0]?.logged) await setTimeout(LOOK_MS);
  return (performance.now() - begun) / 1000;
}

async function assertWhole(client: pg.Client, trees: number): Promise<void> {
  const { rows } = await client.query<{ resolved: number; receipts: number; settlements: number; waiting: number }>(
    COUNT_SHOWN,
  );
  const { resolved, receipts, settlements, waiting } = rows[0] ?? {};
  if (resolved !== trees || receipts !== trees || settlements !== trees || waiting !== 0) {
    throw new Error(`Not all is shown: ${JSON.stringify(rows[0])}`);
  }
}

/** Makes the tables of an empty database. */
export async function makeTables(url: string): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations }));
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}
