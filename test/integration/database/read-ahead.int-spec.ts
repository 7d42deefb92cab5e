import type { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { ScriptedChain, type ScriptedEvent } from '../../../src/dev/bench/indexer/scripted-chain.js';
import { SCRIPTED_FACTORY } from '../../../src/dev/bench/indexer/scripted-contracts.js';
import { ScriptedTree } from '../../../src/dev/bench/indexer/scripted-tree.js';
import { BlockSource } from '../../../src/modules/escrow/indexed-chain/block-source.js';
import { IndexWriter } from '../../../src/modules/escrow/indexer/index-writer.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { createMigratedDatabase } from '../../support/database.js';
import { randomWallet } from '../../support/random-wallet.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

jest.setTimeout(120_000);

const AMOUNT = 1_000_000n;
/** The first ranges of blocks, as long as there are few logs. */
const RANGES = [
  [0, 255],
  [256, 767],
  [768, 1_791],
];

let chain: ScriptedChain;
let dataSource: DataSource;
let app: TestService;
let taskId: string;
let tree: ScriptedTree;

beforeEach(async () => {
  chain = await ScriptedChain.start(31337, Math.floor(Date.now() / 1000) - 100_000);
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  const rows = new MarketRows(dataSource);
  const [escrow, buyer] = [addressOf(), addressOf()];
  const buyerId = await rows.account('Buyer', buyer);
  ({ id: taskId } = await rows.task(buyerId, { status: 'draft', escrowAddress: escrow, buyerWallet: buyer }));
  tree = new ScriptedTree({ taskId, factory: SCRIPTED_FACTORY, escrow, buyer });
  app = await TestService.start(database.url, { rpcUrl: chain.url, escrowFactoryAddress: SCRIPTED_FACTORY });
});

afterEach(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

const addressOf = () => randomWallet().address as Hex;
function mineEmpty(count: number): void {
  for (let mined = 0; mined < count; mined += 1) chain.mine([]);
}
const facts = async (): Promise<string[]> => {
  const rows = await dataSource.query<{ type: string }[]>(
    `SELECT fact->>'type' AS type FROM chain_facts ORDER BY block_number, log_index`,
  );
  return rows.map(({ type }) => type);
};
const readRanges = (): [number, number][] => {
  const ranges: [number, number][] = [];
  const source = app.get(BlockSource);
  const read = source.read.bind(source);
  jest.spyOn(source, 'read').mockImplementation((from, to, parent) => {
    ranges.push([from, to]);
    return read(from, to, parent);
  });
  return ranges;
};

it('the next blocks are being read when those before are written, and none is read twice', async () => {
  chain.mine([tree.created()]);
  mineEmpty(1_998);
  chain.mine([tree.funded(1n, addressOf(), AMOUNT)]);
  const ranges = readRanges();
  const begun: number[] = [];
  const writer = app.get(IndexWriter);
  const write = writer.write.bind(writer);
  jest.spyOn(writer, 'write').mockImplementation((step) => {
    begun.push(ranges.length);
    return write(step);
  });
  await app.index();
  expect(ranges).toEqual([...RANGES, [1_792, 2_000]]);
  expect(begun).toEqual([2, 3, 4, 4]);
  expect(await facts()).toEqual(['TreeCreated', 'NodeFunded']);
});

it('what was read ahead counts for nothing when the chain has replaced it', async () => {
  chain.mine([tree.created()]);
  mineEmpty(1_000);
  chain.mine([tree.funded(1n, addressOf(), AMOUNT)]);
  mineEmpty(700);
  await app.get(IndexerService).advance();
  // Blocks up to 255 are written and those up to 767 read ahead. From block 400 on, all are replaced.
  chain.drop(chain.head - 399);
  mineEmpty(800);
  chain.mine([tree.funded(2n, addressOf(), AMOUNT)]);
  mineEmpty(600);
  await app.index();
  const nodes = await dataSource.query('SELECT path FROM escrow_nodes WHERE task_id = $1', [taskId]);
  expect(nodes).toEqual([{ path: '2' }]);
  const [tip] = await dataSource.query('SELECT number FROM chain_blocks ORDER BY number DESC LIMIT 1');
  expect(tip).toEqual({ number: chain.head });
});

it('no more blocks are read at once than have about as many logs as a step can carry', async () => {
  // Events of an escrow, but emitted by the factory: they are logs and yield no facts.
  const funded = tree.funded(1n, addressOf(), AMOUNT);
  const foreign = Array.from({ length: 100 }, (): ScriptedEvent => ({ ...funded, address: SCRIPTED_FACTORY }));
  for (let block = 0; block < 840; block += 1) chain.mine(foreign);
  const ranges = readRanges();
  await app.index();
  const lengths = ranges.map(([from, to]) => to - from + 1);
  expect(lengths[0]).toBe(256);
  expect(Math.max(...lengths.slice(1))).toBeLessThanOrEqual(Math.ceil(20_000 / 100) + 2);
  expect(await facts()).toEqual([]);
});

describe('a range with more logs than a step writes', () => {
  /** As in the spec above: logs that yield no facts. */
  const foreignLogs = (count: number): ScriptedEvent[] => {
    const funded = tree.funded(1n, addressOf(), AMOUNT);
    return Array.from({ length: count }, () => ({ ...funded, address: SCRIPTED_FACTORY }));
  };
  /** The newest block and the number of logs of each step. */
  const writtenSteps = (): { last: number; logs: number }[] => {
    const steps: { last: number; logs: number }[] = [];
    const writer = app.get(IndexWriter);
    const write = writer.write.bind(writer);
    jest.spyOn(writer, 'write').mockImplementation((step) => {
      if (step.range) steps.push({ last: step.range.headers.at(-1)!.number, logs: step.range.logs.length });
      return write(step);
    });
    return steps;
  };

  it('is read once and written in several, none with half a block', async () => {
    const ranges = readRanges();
    const steps = writtenSteps();
    chain.mine([tree.created()]);
    for (const logs of [3_000, 4_000, 1, 9_000, 7_000]) chain.mine(foreignLogs(logs));
    chain.mine([tree.funded(1n, addressOf(), AMOUNT)]);
    mineEmpty(3);
    await app.index();
    expect(ranges).toEqual([[0, 10]]);
    expect(steps).toEqual([
      { last: 2, logs: 3_001 },
      { last: 4, logs: 4_001 },
      { last: 5, logs: 9_000 },
      { last: 6, logs: 7_000 },
      { last: 10, logs: 1 },
    ]);
    expect(await facts()).toEqual(['TreeCreated', 'NodeFunded']);
  });

  it('is read again from where the chain has replaced it', async () => {
    for (const logs of [5_000, 5_000]) chain.mine(foreignLogs(logs));
    chain.mine([tree.created(), tree.funded(1n, addressOf(), AMOUNT)]);
    await app.get(IndexerService).advance();
    chain.drop(3);
    chain.mine([tree.created(), tree.funded(2n, addressOf(), AMOUNT)]);
    mineEmpty(5);
    await app.index();
    const nodes = await dataSource.query('SELECT path FROM escrow_nodes WHERE task_id = $1', [taskId]);
    expect(nodes).toEqual([{ path: '2' }]);
  });
});
