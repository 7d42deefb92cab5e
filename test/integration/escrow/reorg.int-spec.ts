import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { ChainUnavailableError } from '../../../src/platform/chain/rpc/chain-unavailable.error.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ChainMarket } from '../../support/chain-market.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { type HiredTree, IndexedMarket, nodeId, type Party } from '../../support/indexed-market.js';
import { derivedState } from '../../support/derived-state.js';
import { RpcProxy } from '../../support/rpc-proxy.js';
import { TestService } from '../../support/test-service.js';

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

const rowsOf = (tree: HiredTree) => ({
  receipts: market.dataSource.manager.findBy(ReceiptEntity, { taskId: tree.taskId }),
  settlements: market.dataSource.manager.findBy(SettlementEntity, { taskId: tree.taskId }),
});

describe('a reorganisation', () => {
  it('of five blocks that removes an abandonment gives the node back, with receipts, reputation and task', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = await derivedState(market.dataSource);
    const { anvil } = chain;
    await chain.abandon(tree, tree.root, worker.wallet);
    await anvil.mine(4);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'refunded' });
    expect((await market.task(tree.taskId)).status).toBe('refunded');
    expect(await rowsOf(tree).receipts).toMatchObject([{ nodeId: nodeId(tree.taskId, 1n), outcome: 'refunded' }]);
    expect(await market.dataSource.manager.countBy(ReputationRecordEntity, { agentId: worker.agentId })).toBe(1);

    await anvil.reorg(5);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    expect((await market.task(tree.taskId)).status).toBe('funded');
    expect(await rowsOf(tree).receipts).toEqual([]);
    expect(await rowsOf(tree).settlements).toEqual([]);
    expect(await market.dataSource.manager.countBy(ReputationRecordEntity, { agentId: worker.agentId })).toBe(0);
    const after = await derivedState(market.dataSource);
    expect({ ...after, tip: null }).toEqual({ ...before, tip: null });
    expect(after).toEqual(await market.rebuilt());
  });

  it('that puts other transactions in place of the old ones leaves what a rebuild finds', async () => {
    const tree = await market.hired(buyer, worker);
    const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
    await chain.deliver(tree, child.nodeId, other.wallet);
    await app.index();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.resolve(tree, child, worker.wallet);
    await chain.deliver(tree, 1n, worker.wallet);
    await chain.resolve(tree, tree.root, buyer.wallet);
    await chain.withdrawEarnings(tree, child.nodeId, 40_000_000n, other.wallet);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'released', '1-2': 'released' });

    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.reject(tree, child.nodeId, worker.wallet);
    await chain.deliver(tree, child.nodeId, other.wallet, { artifactHash: `0x${'ee'.repeat(32)}` });
    await chain.anvil.mine(3);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded', '1-2': 'delivered' });
    expect((await market.task(tree.taskId)).status).toBe('funded');
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('that removes the payment gives the quotes back, and leaves what signatures alone say', async () => {
    const tree = await market.draft(buyer);
    await chain.create(tree);
    await app.index();
    const openedAt = new Date();
    await market.dataSource.manager.update(TaskEntity, { id: tree.taskId }, { openedAt });
    const root = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 100_000_000n });
    const rival = chain.terms({ nodeId: 2n, worker: other.wallet.address, amount: 90_000_000n });
    const won = await market.quote(tree, root, worker, buyer);
    const lost = await market.quote(tree, rival, other, buyer);
    await chain.fund(tree, root, worker.wallet, won);
    await app.index();
    expect(await market.quoteStatus(won.id)).toBe('accepted');
    expect(await market.quoteStatus(lost.id)).toBe('declined');
    expect(await market.task(tree.taskId)).toMatchObject({ status: 'funded', selectedAgentId: worker.agentId });

    await chain.anvil.reorg(1);
    await app.index();
    expect(await market.quoteStatus(won.id)).toBe('submitted');
    expect(await market.quoteStatus(lost.id)).toBe('submitted');
    expect(await market.task(tree.taskId)).toMatchObject({ status: 'open', selectedAgentId: null });
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('that removes everything of a task leaves a draft', async () => {
    await app.index();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    const tree = await market.hired(buyer, worker);
    await app.index();
    const height = await chain.anvil.blockNumber();
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(height - (await chain.anvil.blockNumber()) + 1);
    await app.index();
    expect(await market.task(tree.taskId)).toMatchObject({ status: 'draft', selectedAgentId: null });
    expect(await market.nodeStates(tree.taskId)).toEqual({});
    expect(await market.quoteStatus(tree.quoteId)).toBe('submitted');
    const after = await derivedState(market.dataSource);
    expect(after.trees).toEqual([]);
    expect(after).toEqual(await market.rebuilt());
  });

  it('that only moves a transaction to another block is never seen as if it had been undone', async () => {
    const tree = await market.hired(buyer, worker);
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    const blocks = 'SELECT block_number FROM escrow_trees';
    const [before] = await market.dataSource.query<{ block_number: number }[]>(blocks);
    await market.dataSource.query('CREATE TABLE seen (state text)');
    await market.dataSource.query(`CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO seen VALUES (coalesce(NEW.state, 'gone')); RETURN NULL; END $$`);
    await market.dataSource.query(`CREATE CONSTRAINT TRIGGER see AFTER UPDATE OR DELETE ON escrow_nodes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see()`);
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(1);
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    const [after] = await market.dataSource.query<{ block_number: number }[]>(blocks);
    expect(after!.block_number).toBe(before!.block_number + 1);
    // An unchanged row is not written, and the trigger records every row that is.
    await market.dataSource.query('UPDATE escrow_nodes SET state = state');
    const seen = await market.dataSource.query<{ state: string }[]>('SELECT state FROM seen');
    expect(new Set(seen.map(({ state }) => state))).toEqual(new Set(['delivered']));
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('is noticed by an index that was stopped meanwhile', async () => {
    const tree = await market.hired(buyer, worker);
    await chain.abandon(tree, tree.root, worker.wallet);
    await app.index();
    await fixture.close(app);
    await chain.anvil.reorg(1);
    await chain.anvil.mine(600);
    app = await fixture.open();
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('deeper than the confirmations is the only one that shows', async () => {
    await fixture.close(app);
    app = await fixture.open({ chainConfirmations: 3 });
    const tree = await market.hired(buyer, worker);
    await chain.anvil.mine(3);
    await app.index();
    await chain.abandon(tree, tree.root, worker.wallet);
    await chain.anvil.mine(2);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    await chain.anvil.reorg(3);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    await chain.abandon(tree, tree.root, worker.wallet);
    await chain.anvil.mine(3);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'refunded' });
  });
});

describe('a chain that ends below the index', () => {
  const rollbacks = () => market.dataSource.query('SELECT * FROM chain_rollbacks');

  it('is waited for however long its head stays a block of the index, and said to be behind', async () => {
    const proxy = await fixture.proxied();
    await fixture.close(app);
    app = await fixture.open({ rpcUrl: proxy.url });
    await app.index();
    const stuck = await chain.anvil.blockNumber();
    const tree = await market.hired(buyer, worker);
    await app.index();
    const behind = (await chain.anvil.blockNumber()) - stuck;
    proxy.tamper = ({ method }, answer) =>
      method === 'eth_blockNumber' ? { ...answer, result: `0x${stuck.toString(16)}` } : answer;
    for (let look = 0; look < 30; look += 1) await app.index();
    expect([await market.nodeStates(tree.taskId), await rollbacks()]).toEqual([{ 1: 'funded' }, []]);
    expect(await app.get(Metrics).text()).toMatch(new RegExp(`^indexer_endpoint_behind_blocks ${behind}$`, 'm'));
    proxy.tamper = (_call, answer) => answer;
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    expect([await market.nodeStates(tree.taskId), await rollbacks()]).toEqual([{ 1: 'delivered' }, []]);
    expect(await app.get(Metrics).text()).toMatch(/^indexer_endpoint_behind_blocks 0$/m);
  });

  it('is followed down as soon as it has another block in the place of one of the index', async () => {
    await app.index();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.anvil.mine(1);
    await app.index();
    const tree = await market.hired(buyer, worker);
    await app.index();
    await chain.anvil.rpc('evm_revert', snapshot);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    await chain.anvil.rpc('evm_increaseTime', 60);
    await chain.anvil.mine(1);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({});
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });
});

describe('a node of the endpoint that lags behind the head that another has named', () => {
  let proxy: RpcProxy;

  beforeEach(async () => {
    await fixture.close(app);
    proxy = await fixture.proxied();
    app = await fixture.open({ rpcUrl: proxy.url });
  });

  /** Makes the endpoint answer as a node does that does not have these blocks. */
  const lack = (isMissing: (block: number) => boolean): void => {
    proxy.tamper = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && isMissing(Number(params[0])) ? { ...answer, result: null } : answer;
  };
  const state = async () => ({
    ...(await derivedState(market.dataSource)),
    rollbacks: await market.dataSource.query('SELECT * FROM chain_rollbacks'),
  });

  it.each([
    { where: 'the end of a short range', before: 0, after: 0 },
    { where: 'the end of a long range', before: 40, after: 0 },
    { where: 'the middle of a long range', before: 0, after: 40 },
  ])('leaves out no event of the blocks that it does not have yet, from $where on', async ({ before, after }) => {
    const mine = (blocks: number) => chain.anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`);
    await app.index();
    await mine(before);
    const tree = await market.hired(buyer, worker);
    const lacked = await chain.anvil.blockNumber();
    await mine(after);
    // Such a node has all questions about events: it refuses a block that it lacks, but not a range that ends there. Other
    // nodes have all questions about blocks, except those that are asked with one about a range.
    proxy.tamper = ({ method, params: [first] }, answer, together) => {
      const isWithRange = together.some(({ params }) => (params[0] as { fromBlock?: string } | undefined)?.fromBlock);
      if (method === 'eth_getBlockByNumber') {
        return after > 0 && isWithRange && Number(first) >= lacked ? { ...answer, result: null } : answer;
      }
      if (method !== 'eth_getLogs') return answer;
      const has = ({ blockNumber }: { blockNumber: string }) => Number(blockNumber) < lacked;
      if (isWithRange) return { ...answer, result: answer.result.filter(has) };
      const { jsonrpc, id, result } = answer;
      return result.every(has) ? answer : { jsonrpc, id, error: { code: -32000, message: 'unknown block' } };
    };
    await app.index().catch(() => undefined);
    lack(() => false);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
  });

  it('takes nothing back, and is asked again', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = await state();
    const head = await chain.anvil.blockNumber();
    for (const missing of [head, head - 1]) {
      lack((block) => block >= missing);
      await expect(app.index()).rejects.toThrow(ChainUnavailableError);
      await chain.anvil.mine(1);
    }
    expect(await state()).toEqual(before);

    lack(() => false);
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'delivered' });
    expect(await state()).toMatchObject({ tip: [{ number: await chain.anvil.blockNumber() }], rollbacks: [] });
  });

  it('does not tell where the chains part, as long as it lacks the first block that was replaced', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    await chain.abandon(tree, tree.root, worker.wallet);
    const replaced = await chain.anvil.blockNumber();
    await app.index();
    await chain.anvil.mine(1);
    await app.index();
    const before = await state();
    await chain.anvil.reorg(2);
    lack((block) => block === replaced);
    await expect(app.index()).rejects.toThrow(ChainUnavailableError);
    expect(await state()).toEqual(before);

    lack(() => false);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });
});

it('two trees in one range each get their own facts', async () => {
  const first = await market.hired(buyer, worker);
  const second = await market.hired(other, worker, 30_000_000n);
  await chain.abandon(second, second.root, worker.wallet);
  await app.index();
  expect(await market.nodeStates(first.taskId)).toEqual({ 1: 'funded' });
  expect(await market.nodeStates(second.taskId)).toEqual({ 1: 'refunded' });
});
