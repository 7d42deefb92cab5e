import { childPath } from '../../../libs/kernel/src/index.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFinalize } from '../../../libs/contracts/src/index.js';
import { ChainTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-chain.js';
import { IndexedTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-index.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import {
  NotComparableError,
  Reconciliation,
  type ReconciliationSummary,
} from '../../../src/tools/reconcile/reconciliation.js';
import { ChainMarket } from '../../support/chain-market.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { type HiredTree, IndexedMarket, type Party } from '../../support/indexed-market.js';
import { TestService } from '../../support/test-service.js';
import { runToolWith } from '../../support/tool-run.js';

// Each call of a tool starts a process.
jest.setTimeout(240_000);

const DAY = 86_400;
const SECRET = 'a secret of the tests, long enough for HKDF';

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;
let app: TestService;
let buyer: Party;
let worker: Party;
let other: Party;

beforeEach(async () => {
  ({ chain, market, buyer, worker, other } = fixture);
  app = await fixture.open();
});

type Run = ReconciliationSummary & { lines: string[] };

/** Runs the tool's check in this process. */
async function reconciled(index = new IndexedTrees(market.dataSource)): Promise<Run> {
  const lines: string[] = [];
  const trees = new ChainTrees(app.get(ChainClient), chain.usdc);
  const summary = await new Reconciliation(index, trees, (line) => lines.push(line), 1).run();
  return { ...summary, lines };
}

const change = (sql: string, ...values: unknown[]) => market.dataSource.query(sql, values);

async function travel(seconds: number): Promise<void> {
  await chain.anvil.rpc('evm_increaseTime', `0x${seconds.toString(16)}`);
  await chain.anvil.mine();
}

/** Plays every way in which money comes in, stays, moves inside a tree and leaves. */
async function history(): Promise<Record<'settled' | 'carved' | 'refunded' | 'split' | 'paid', HiredTree>> {
  const settled = await market.hired(buyer, worker);
  await chain.deliver(settled, 1n, worker.wallet);
  await chain.resolve(settled, settled.root, buyer.wallet);
  await chain.withdrawEarnings(settled, 1n, 60_000_001n, worker.wallet);

  const carved = await market.hired(buyer, worker);
  const child = await market.hireBelow(carved, 2, worker, other, 30_000_000n);
  await market.hireBelow(carved, 3, worker, other, 15_000_000n);
  await chain.deliver(carved, child.nodeId, other.wallet);
  await chain.resolve(carved, child, worker.wallet);
  await chain.deliver(carved, 1n, worker.wallet);
  await chain.resolve(carved, carved.root, buyer.wallet);
  await chain.withdrawEarnings(carved, child.nodeId, 30_000_000n, other.wallet);

  const refunded = await market.hired(buyer, worker);
  await chain.abandon(refunded, refunded.root, worker.wallet);
  await chain.withdrawRefund(refunded, 30_000_000n);

  const split = await market.hired(buyer, worker);
  await chain.agree(split, split.root, 33_000_001n, worker.wallet);

  const paid = await market.hired(buyer, worker);
  await chain.deliver(paid, 1n, worker.wallet, { payOut: true });
  await chain.resolve(paid, paid.root, buyer.wallet);
  return { settled, carved, refunded, split, paid };
}

describe('the reconciliation', () => {
  it('finds index and chain equal after a history of every kind, time included', async () => {
    const { carved } = await history();
    await market.draft(buyer);
    await app.index();
    const equal = { tasks: 6, trees: 5, nodes: 7, differences: 0, surplus: 0n, lines: [] };
    const compared = 39_999_999n + 70_000_000n + 70_000_000n + 100_000_000n;
    expect(await reconciled()).toEqual({ ...equal, compared });
    await chain.deliver(carved, childPath(1n, 3), other.wallet);
    await travel(4 * DAY);
    await app.index();
    expect(await reconciled()).toEqual({ ...equal, compared });
    await chain.send(carved.escrow, encodeFinalize(childPath(1n, 3)));
    await app.index();
    expect(await reconciled()).toEqual({ ...equal, compared });
  });

  it('counts nothing twice where the money below went back with a node above', async () => {
    const tree = await market.hired(buyer, worker);
    const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
    await chain.deliver(tree, child.nodeId, other.wallet);
    await chain.resolve(tree, child, worker.wallet);
    await chain.deliver(tree, 1n, worker.wallet);
    await chain.reject(tree, 1n, buyer.wallet);
    await app.index();
    const equal = { trees: 1, nodes: 2, differences: 0, compared: 100_000_000n };
    expect(await reconciled()).toMatchObject(equal);
    await travel(31 * DAY);
    await chain.send(tree.escrow, encodeFinalize(1n));
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'refunded', '1-2': 'released' });
    expect(await reconciled()).toMatchObject(equal);
    await chain.withdrawRefund(tree, 100_000_000n);
    await app.index();
    expect(await reconciled()).toMatchObject({ ...equal, compared: 0n });
  });

  it('says what is not equal, to the base unit', async () => {
    const { settled, carved, refunded, paid } = await history();
    await app.index();
    const lines = async () => (await reconciled()).lines;
    await change('UPDATE escrow_nodes SET pool = pool - 1 WHERE id = $1', `node_${settled.taskId.slice(5)}_1`);
    expect(await lines()).toEqual([`${settled.taskId} node 1 pool: index 39999998, chain 39999999`]);
    await change('UPDATE escrow_nodes SET pool = pool + 1 WHERE id = $1', `node_${settled.taskId.slice(5)}_1`);

    await change('UPDATE escrow_trees SET held = held + 1, funded = funded + 1 WHERE task_id = $1', carved.taskId);
    expect(await lines()).toEqual([
      `${carved.taskId} tree held: index 70000001, chain 70000000`,
      `${carved.taskId} tree funded by its events: index 100000001, chain 100000000`,
      `${carved.taskId} tree balance: index 70000001, chain 70000000`,
    ]);
    await change('UPDATE escrow_trees SET held = held - 1, funded = funded - 1 WHERE task_id = $1', carved.taskId);

    await change(`UPDATE escrow_nodes SET state = 'delivered' WHERE task_id = $1 AND path = '1-3'`, carved.taskId);
    await change(`DELETE FROM escrow_nodes WHERE task_id = $1`, refunded.taskId);
    await change(`DELETE FROM chain_facts WHERE task_id = $1`, paid.taskId);
    await change(`DELETE FROM escrow_trees WHERE task_id = $1`, paid.taskId);
    const found = await reconciled();
    expect(found.differences).toBe(3);
    expect(found.lines.toSorted()).toEqual(
      [
        `${carved.taskId} node 1-3 state: index delivered, chain funded`,
        `${refunded.taskId} node 1 state: index absent, chain abandoned`,
        `${paid.taskId} tree escrow: index absent, chain deployed`,
      ].toSorted(),
    );
  });

  it('takes tokens that somebody sent past the functions for a surplus, and no difference', async () => {
    const { settled } = await history();
    await chain.callUsdc('mint', [settled.escrow, 7n]);
    await app.index();
    const { lines, differences, surplus } = await reconciled();
    expect([differences, surplus, lines]).toEqual([0, 7n, [`${settled.taskId} tree surplus: 0.000007 USDC`]]);
  });

  it('compares at the block of the index, whatever the chain has done since', async () => {
    const { carved } = await history();
    await app.index();
    await chain.withdrawEarnings(carved, 1n, 45_000_000n, worker.wallet);
    expect((await reconciled()).lines).toEqual([]);
    await app.index();
    expect((await reconciled()).lines).toEqual([]);
  });

  it('finds them equal again after a reorganisation, and waits for the index to follow it', async () => {
    const { refunded } = await history();
    await chain.withdrawRefund(refunded, 70_000_000n);
    await app.index();
    await chain.anvil.reorg(2);
    const index = new IndexedTrees(market.dataSource);
    const page = index.page.bind(index);
    let looks = 0;
    index.page = async (...values) => {
      looks += 1;
      if (looks === 2) await app.index();
      return page(...values);
    };
    const { lines, differences } = await reconciled(index);
    expect([looks, differences]).toEqual([2, 0]);
    expect(lines).toEqual([expect.stringMatching(/^The chain has replaced block \d+/)]);
  });

  it('compares nothing while nothing is indexed, or the index never follows', async () => {
    await expect(reconciled()).rejects.toThrow(NotComparableError);
    await history();
    await app.index();
    await chain.anvil.reorg(1);
    await expect(reconciled()).rejects.toThrow('is the indexer running?');
  });

  it('walks over more tasks than fit in one look', async () => {
    await app.index();
    await change(
      `INSERT INTO tasks (id, buyer_account_id, brief, criteria, budget, selection_mode, tier, status, accept_window_seconds,
        delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address, created_at, updated_at, document)
      SELECT 'task_01k8' || lpad(n::text, 22, '0'), $1, 'b', '{}', 5, 'manual', 'public', 'open', 1, 1, '0x',
        '0x' || lpad('1', 40, '0'), '0x' || lpad('0', 40, '0'), '0x' || lpad(n::text, 40, '0'), now(), now(), '{}'
      FROM generate_series(100001, 100250) AS n`,
      buyer.accountId,
    );
    await history();
    await app.index();
    expect(await reconciled()).toMatchObject({ tasks: 255, trees: 5, nodes: 7, differences: 0 });
  });
});

describe('the command line', () => {
  const run = (args: string[], variables: Record<string, string>) => runToolWith(variables, 'reconcile', ...args);
  const service = () => ({
    DATABASE_URL: fixture.databaseUrl,
    APP_SECRET: SECRET,
    RPC_URL: chain.anvil.url,
    CHAIN_ID: '31337',
    ESCROW_FACTORY_ADDRESS: chain.factory,
  });

  it('ends with 0 when all is equal, with 1 and a line for each difference', async () => {
    const { split } = await history();
    await app.index();
    const summary = '5 trees of 5 tasks, 7 nodes, 279999999 base units in escrow compared\n';
    expect(await run([], service())).toEqual({ code: 0, out: `equal: ${summary}`, err: '' });
    await change('UPDATE escrow_nodes SET allocated = 1 WHERE task_id = $1', split.taskId);
    const line = `${split.taskId} node 1 allocated: index 1, chain 0\n`;
    expect(await run([], service())).toEqual({ code: 1, out: `${line}1 difference: ${summary}`, err: '' });
  });

  it('finds the local market beside it', async () => {
    await app.index();
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-reconcile-'));
    const local = {
      database_url: fixture.databaseUrl,
      rpc_url: chain.anvil.url,
      escrow_factory_address: chain.factory,
    };
    writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...local, chain_id: 31337 }));
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ app_secret: SECRET }));
    const { code, out } = await run(['--data-dir', folder], {});
    rmSync(folder, { recursive: true });
    expect([code, out]).toEqual([0, 'equal: 0 trees of 0 tasks, 0 nodes, 0 base units in escrow compared\n']);
  });

  it.each<[string, string[], () => Record<string, string>, string]>([
    ['a chain that is away', [], () => ({ ...service(), RPC_URL: 'http://127.0.0.1:1' }), 'cannot be asked'],
    ['another chain', [], () => ({ ...service(), CHAIN_ID: '8453' }), 'serves chain 31337'],
    ['a dead database', [], () => ({ ...service(), DATABASE_URL: 'postgres://127.0.0.1:1/x' }), 'cannot be reached'],
    ['an index of nothing', [], service, 'Nothing is indexed yet'],
    ['no database', ['--data-dir', '/nonexistent'], () => ({}), 'DATABASE_URL is not set'],
    ['an unknown option', ['--fix'], service, 'npm run reconcile'],
  ])('answers %s with a sentence and exit code 2', async (_what, args, variables, sentence) => {
    const { code, err } = await run(args, variables());
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
    expect(err).not.toMatch(/^\s+at /m);
  });
});
