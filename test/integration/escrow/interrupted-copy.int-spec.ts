import type { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { ScriptedChain } from '../../../src/dev/bench/indexer/scripted-chain.js';
import { SCRIPTED_FACTORY } from '../../../src/dev/bench/indexer/scripted-contracts.js';
import { ScriptedTree } from '../../../src/dev/bench/indexer/scripted-tree.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { randomWallet } from '../../support/random-wallet.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';

jest.setTimeout(120_000);

const AMOUNT = 1_000_000n;
/** So many that their rows do not fit in one piece of what a socket carries. */
const NODES = 400;
const FACTS = 1 + NODES;

let chain: ScriptedChain;
let dataSource: DataSource;
let proxy: TcpProxy;
let app: TestService;

beforeEach(async () => {
  chain = await ScriptedChain.start(31337, Math.floor(Date.now() / 1000) - 100_000);
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  const url = new URL(database.url);
  proxy = await TcpProxy.start(Number(url.port));
  url.port = String(proxy.port);
  const rows = new MarketRows(dataSource);
  const [escrow, buyer] = [addressOf(), addressOf()];
  const buyerId = await rows.account('Buyer', buyer);
  const { id: taskId } = await rows.task(buyerId, { status: 'draft', escrowAddress: escrow, buyerWallet: buyer });
  const tree = new ScriptedTree({ taskId, factory: SCRIPTED_FACTORY, escrow, buyer });
  const hired = Array.from({ length: NODES }, (_, at) => tree.funded(BigInt(at + 1), addressOf(), AMOUNT));
  chain.mine([tree.created(), ...hired]);
  app = await TestService.start(url.toString(), { rpcUrl: chain.url, escrowFactoryAddress: SCRIPTED_FACTORY });
});

afterEach(async () => {
  await app?.close();
  await proxy?.stop();
  await dataSource?.destroy();
  await chain?.stop();
});

const addressOf = () => randomWallet().address as Hex;
const countOf = async (table: string): Promise<number> =>
  (await dataSource.query<[{ count: number }]>(`SELECT count(*)::integer AS count FROM ${table}`))[0].count;

async function isWholeAtLast(): Promise<void> {
  await eventually(async () => {
    await app.index();
    return (await countOf('escrow_nodes')) === NODES;
  });
  expect(await countOf('chain_facts')).toBe(FACTS);
}

/** The step fails and nothing of it is there. */
async function expectNothing(): Promise<void> {
  await expect(app.get(IndexerService).advance()).rejects.toThrow();
  for (const table of ['chain_facts', 'chain_blocks', 'escrow_nodes']) expect(await countOf(table)).toBe(0);
}

it('a copy of facts whose connection is cut in its middle leaves nothing, and the step is repeated', async () => {
  let isCut = false;
  proxy.intercept = ({ sent }) => {
    const isCopying = sent.lastIndexOf('COPY chain_facts') > sent.lastIndexOf('START TRANSACTION');
    if (!isCopying) return 'pass';
    if (isCut) return 'drop';
    isCut = true;
    setImmediate(() => proxy.cut());
    return 'pass';
  };
  await expectNothing();
  expect(isCut).toBe(true);
  proxy.intercept = () => 'pass';
  await isWholeAtLast();
});

it('a copy of facts with a row that the database refuses leaves nothing, and the step is repeated', async () => {
  await dataSource.query(`ALTER TABLE chain_facts ADD CONSTRAINT few CHECK (log_index < ${FACTS - 1})`);
  await expectNothing();
  await dataSource.query('ALTER TABLE chain_facts DROP CONSTRAINT few');
  await isWholeAtLast();
});
