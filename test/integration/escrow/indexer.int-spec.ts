import { concat, getBytes, id, Interface, toBeHex } from 'ethers';
import { DataSource } from 'typeorm';
import { nodeNonce, taskEscrowAbi } from '../../../libs/contracts/src/index.js';
import { childPath, nodeIdOf } from '../../../libs/kernel/src/index.js';
import { ChainIdentity } from '../../../src/modules/escrow/indexed-chain/chain-identity.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { NodeAccess } from '../../../src/modules/escrow/node/node-access.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { EscrowTreeEntity } from '../../../src/modules/escrow/escrow-tree.entity.js';
import { DeliveryEntity } from '../../../src/modules/deliveries/delivery.entity.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { DomainEvents } from '../../../src/modules/events/domain-events.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { ChainConfig } from '../../../src/platform/chain/chain-config.js';
import { ChainArrival } from '../../../src/platform/chain/chain-arrival.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createDatabase } from '../../support/database.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { IndexedMarket, type Party } from '../../support/indexed-market.js';
import { derivedState } from '../../support/derived-state.js';

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;
let buyer: Party;
let worker: Party;
let other: Party;

beforeEach(() => {
  ({ chain, market, buyer, worker, other } = fixture);
});

describe('a tree that is lived through', () => {
  it('shows in every list, and its books equal what the escrow holds', async () => {
    const app = await fixture.open();
    const tree = await market.hired(buyer, worker);
    const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
    await chain.deliver(tree, child.nodeId, other.wallet);
    await chain.reject(tree, child.nodeId, worker.wallet);
    await chain.deliver(tree, child.nodeId, other.wallet);
    await chain.resolve(tree, child, worker.wallet);
    const given = await market.hireBelow(tree, 3, worker, other, 10_000_000n);
    await chain.abandon(tree, given, other.wallet);
    await chain.deliver(tree, 1n, worker.wallet);
    await chain.resolve(tree, tree.root, buyer.wallet);
    await chain.withdrawEarnings(tree, child.nodeId, 40_000_000n, other.wallet);
    await app.index();

    const { manager } = market.dataSource;
    const { taskId } = tree;
    expect(await market.task(taskId)).toMatchObject({ status: 'resolved', selectedAgentId: worker.agentId });
    expect((await manager.query<{ document: string }[]>('SELECT document FROM tasks'))[0]!.document).toContain(
      'resolved',
    );
    const nodes = await manager.find(EscrowNodeEntity, { where: { taskId }, order: { path: 'ASC' } });
    expect(nodes).toMatchObject([
      {
        id: nodeIdOf(taskId, 1n),
        parentNodeId: null,
        hirerAgentId: buyer.accountId,
        hirerAccountId: buyer.accountId,
        workerAgentId: worker.agentId,
        workerAccountId: worker.accountId,
        amount: 100_000_000n,
        state: 'released',
        outcome: 'accepted',
        visibleAccountIds: [buyer.accountId, worker.accountId].sort(),
      },
      {
        parentNodeId: nodeIdOf(taskId, 1n),
        hirerAgentId: worker.agentId,
        workerAgentId: other.agentId,
        amount: 40_000_000n,
        floor: 20_000_000n,
        pool: 0n,
        withdrawn: 40_000_000n,
        version: 5,
        revisions: 1,
        state: 'released',
        visibleAccountIds: [buyer.accountId, worker.accountId, other.accountId].sort(),
      },
      { path: childPath(1n, 3), state: 'refunded', outcome: 'abandoned', amount: 10_000_000n },
    ]);
    const deliveries = await manager.find(DeliveryEntity, { where: { taskId }, order: { id: 'ASC' } });
    const ulid = taskId.slice('task_'.length);
    expect(deliveries.map((delivery) => [delivery.id, delivery.status, delivery.payerAccountId])).toEqual([
      [`dlv_${ulid}_1-2_1`, 'rejected', worker.accountId],
      [`dlv_${ulid}_1-2_2`, 'released', worker.accountId],
      [`dlv_${ulid}_1_1`, 'released', buyer.accountId],
    ]);
    const receipts = await manager.find(ReceiptEntity, { where: { taskId }, order: { id: 'ASC' } });
    expect(receipts.map((receipt) => [receipt.id, receipt.outcome, receipt.amount, receipt.workerAccountId])).toEqual([
      [`rcpt_${ulid}_1`, 'released', 100_000_000n, worker.accountId],
      [`rcpt_${ulid}_1-2`, 'released', 40_000_000n, other.accountId],
      [`rcpt_${ulid}_1-3`, 'refunded', 10_000_000n, other.accountId],
    ]);
    expect(await manager.findOneByOrFail(ReputationRecordEntity, { agentId: worker.agentId })).toMatchObject({
      settledValue: 100_000_000n,
    });
    const books = await manager.findOneByOrFail(EscrowTreeEntity, { taskId });
    expect(books).toMatchObject({ funded: 100_000_000n, held: 60_000_000n, paid: 40_000_000n, refundable: 0n });
    expect(await chain.balanceOf(tree.escrow)).toBe(books.held + books.refundable);
    const parties = await manager.query<{ account_id: string; role: string }[]>(
      `SELECT account_id, role FROM task_parties WHERE task_id = $1 ORDER BY role, account_id`,
      [taskId],
    );
    const workers = [worker.accountId, other.accountId].sort().map((accountId) => [accountId, 'worker']);
    expect(parties.map(({ account_id, role }) => [account_id, role])).toEqual([
      [buyer.accountId, 'buyer'],
      [worker.accountId, 'hirer'],
      ...workers,
    ]);
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('shares a node as both agree, and calls a delivery that was paid nothing rejected', async () => {
    const app = await fixture.open();
    const { manager } = market.dataSource;
    const shared = await market.hired(buyer, worker);
    await chain.deliver(shared, 1n, worker.wallet);
    await chain.agree(shared, shared.root, 30_000_000n, worker.wallet);
    const refused = await market.hired(buyer, worker);
    await chain.deliver(refused, 1n, worker.wallet);
    await chain.agree(refused, refused.root, 0n, worker.wallet);
    await chain.withdrawRefund(shared, 70_000_000n);
    await app.index();
    const of = (taskId: string) =>
      Promise.all([
        manager.findOneByOrFail(DeliveryEntity, { taskId }),
        manager.findOneByOrFail(ReceiptEntity, { taskId }),
      ]);
    expect(await of(shared.taskId)).toMatchObject([
      { status: 'released' },
      { outcome: 'released', amount: 30_000_000n },
    ]);
    expect(await of(refused.taskId)).toMatchObject([
      { status: 'rejected' },
      { outcome: 'refunded', amount: 100_000_000n },
    ]);
    expect(await manager.findOneByOrFail(EscrowTreeEntity, { taskId: shared.taskId })).toMatchObject({
      funded: 100_000_000n,
      held: 30_000_000n,
      paid: 70_000_000n,
      refundable: 0n,
    });
  });

  it('shows a worker without any agent by its wallet', async () => {
    const app = await fixture.open();
    const tree = await market.draft(buyer);
    await chain.create(tree);
    const unknown = chain.wallet();
    const root = chain.terms({ nodeId: 1n, worker: unknown.address, amount: 5_000_000n });
    await chain.fund(tree, root, unknown);
    await chain.abandon(tree, root, unknown);
    await app.index();
    const node = await market.dataSource.manager.findOneByOrFail(EscrowNodeEntity, { taskId: tree.taskId });
    expect(node).toMatchObject({ workerAgentId: `wallet_${unknown.address}`, workerAccountId: null });
    expect((await derivedState(market.dataSource)).settlements).toEqual([]);
  });

  it("gives a node to the agent of the quote, else to an agent of the wallet's own account, whoever else claims it", async () => {
    const app = await fixture.open();
    const rows = market.dataSource;
    await rows.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [worker.wallet.address, other.agentId]);
    const second = await market.party('Second');
    await rows.query('UPDATE agents SET wallet_address = $1, account_id = $2 WHERE id = $3', [
      worker.wallet.address,
      worker.accountId,
      second.agentId,
    ]);
    const tree = await market.draft(buyer);
    await chain.create(tree);
    const first = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 5_000_000n });
    await chain.fund(tree, first, worker.wallet);
    await app.index();
    expect(await market.task(tree.taskId)).toMatchObject({ selectedAgentId: worker.agentId });

    await chain.abandon(tree, first, worker.wallet);
    const root = { ...first, nodeId: 2n };
    await market.quote(tree, root, { ...worker, agentId: second.agentId }, buyer);
    await chain.fund(tree, root, worker.wallet);
    await app.index();
    expect(await market.task(tree.taskId)).toMatchObject({ selectedAgentId: second.agentId });
  });

  it('withdraws a quote whose nonce its worker cancels', async () => {
    const app = await fixture.open();
    const tree = await market.draft(buyer);
    await chain.create(tree);
    const terms = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 5_000_000n });
    const quote = await market.quote(tree, terms, worker, buyer);
    const rival = await market.quote(tree, { ...terms, nodeId: 2n, worker: other.wallet.address }, other, buyer);
    await chain.cancelNonce(tree, worker.wallet, nodeNonce(1n, 0));
    await app.index();
    expect(await market.quoteStatus(quote.id)).toBe('withdrawn');
    expect(await market.quoteStatus(rival.id)).toBe('submitted');
  });

  it('lets offers that lost stand again when the money of the winner goes back', async () => {
    const app = await fixture.open();
    const tree = await market.hired(buyer, worker);
    const rival = { ...tree.root, nodeId: 2n, worker: other.wallet.address };
    const lost = await market.quote(tree, rival, other, buyer);
    await app.index();
    await chain.abandon(tree, tree.root, worker.wallet);
    await app.index();
    expect(await market.quoteStatus(lost.id)).toBe('submitted');
    expect(await market.quoteStatus(tree.quoteId)).toBe('accepted');
  });
});

describe('NodeAccess', () => {
  it('finds a node for those who may see it, and nothing for others, other tasks and other nodes', async () => {
    const app = await fixture.open();
    const tree = await market.hired(buyer, worker);
    const foreign = await market.hired(buyer, worker);
    await app.index();
    const access = app.get(NodeAccess);
    const node = nodeIdOf(tree.taskId, 1n);
    for (const { accountId } of [buyer, worker]) {
      await expect(access.find(accountId, tree.taskId, node)).resolves.toMatchObject({
        path: 1n,
        version: 1,
        state: 'funded',
      });
    }
    const missing = { code: 'not_found' };
    await expect(access.find(other.accountId, tree.taskId, node)).rejects.toMatchObject(missing);
    await expect(access.find(buyer.accountId, foreign.taskId, node)).rejects.toMatchObject(missing);
    await expect(access.find(buyer.accountId, tree.taskId, nodeIdOf(tree.taskId, 2n))).rejects.toMatchObject(missing);
  });
});

describe('exactly once', () => {
  it('an index that is stopped in the middle goes on where it was, in ranges of any size', async () => {
    const tree = await market.hired(buyer, worker);
    const first = await fixture.open({ chainConfirmations: 2 });
    await first.index();
    await first.close();
    await chain.deliver(tree, 1n, worker.wallet);
    await chain.resolve(tree, tree.root, buyer.wallet);
    const second = await fixture.open();
    await second.index();
    await second.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'released' });
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it('two runners that step at once write every fact once', async () => {
    const apps = [await fixture.open(), await fixture.open()];
    const tree = await market.hired(buyer, worker);
    await Promise.all(apps.map((app) => app.index()));
    await chain.abandon(tree, tree.root, worker.wallet);
    await Promise.all(apps.map((app) => app.index()));
    await apps[0]!.index();
    expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
  });

  it.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a full disk', '53100'],
    ['a lock that is not to be had', '55P03'],
    ['a server that shuts down', '57P01'],
  ])(
    '%s in the middle of a step leaves nothing of it, and the step is done when it works again',
    async (_what, code) => {
      const app = await fixture.open();
      const tree = await market.hired(buyer, worker);
      await app.index();
      await chain.abandon(tree, tree.root, worker.wallet);
      const before = await derivedState(market.dataSource);
      await market.dataSource.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`);
      await market.dataSource.query(
        'CREATE TRIGGER refuse BEFORE INSERT ON settlements FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      await expect(app.index()).rejects.toThrow('refused');
      expect(await derivedState(market.dataSource)).toEqual(before);
      expect(await market.dataSource.query('SELECT * FROM unpublished_trees')).toEqual([]);
      await market.dataSource.query('DROP TRIGGER refuse ON settlements');
      await app.index();
      expect(await derivedState(market.dataSource)).toEqual(await market.rebuilt());
    },
  );

  it('a connection that breaks in the middle of a step leaves nothing of it', async () => {
    const app = await fixture.open();
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = await derivedState(market.dataSource);
    let breaks = 1;
    app.get(DomainEvents).on('trees_changed', async (manager) => {
      if (breaks-- > 0) await manager.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await chain.abandon(tree, tree.root, worker.wallet);
    await expect(app.index()).rejects.toThrow();
    expect(await derivedState(market.dataSource)).toEqual(before);
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'refunded' });
  });
});

describe('what is not a fact', () => {
  const topicOf = (name: string): string => new Interface(taskEscrowAbi).getEvent(name)!.topicHash;

  /** Creation code of a contract that emits whatever log its call data describes: four topics first, then the data. */
  const forger = (): string => {
    // Words 0 to 3 of the call data are the topics, the rest is the data: CALLDATACOPY(0, 128, size - 128), then LOG4
    // with topics from the call data.
    const runtime = '0x608036036080600037606035604035602035600035608036036000a400';
    const size = getBytes(runtime).length;
    return concat([`0x60${toBeHex(size).slice(2)}600c60003960${toBeHex(size).slice(2)}6000f3`, runtime]);
  };

  it('events of another contract are ignored, whatever they say and however they are shaped', async () => {
    const app = await fixture.open();
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = await derivedState(market.dataSource);
    const forged = await chain.deployCode(forger());
    const abandoned = topicOf('NodeRefunded');
    const opened = topicOf('NodeFunded');
    const created = id('TreeCreated(bytes32,address,address,address)');
    const one = toBeHex(1, 32);
    const address = toBeHex(tree.escrow, 32);
    await chain.send(forged, concat([abandoned, one, one, one, toBeHex(100_000_000n, 32), toBeHex(7, 32)]));
    await chain.send(forged, concat([opened, one, one, address, `0x${'ff'.repeat(160)}`]));
    await chain.send(forged, concat([opened, one, one, address, '0x01']));
    await chain.send(forged, concat([created, one, address, address, address]));
    const logs = await chain.anvil.rpc<unknown[]>('eth_getLogs', { fromBlock: '0x0', address: forged });
    expect(logs).toHaveLength(4);
    await app.index();
    expect({ ...(await derivedState(market.dataSource)), tip: null }).toEqual({ ...before, tip: null });
    expect(await market.dataSource.query('SELECT 1 FROM chain_blocks')).not.toHaveLength(0);
  });

  it('trees of the factory that no task of this market has are ignored', async () => {
    const app = await fixture.open();
    const stranger = chain.tree(`task_${'0'.repeat(26)}`, buyer.wallet);
    await chain.create(stranger);
    await app.index();
    expect((await derivedState(market.dataSource)).facts).toEqual([]);
  });
});

describe('a tree whose beginning is not in the index', () => {
  it('is told, shown as before, and does not stop the others', async () => {
    const early = await market.hired(buyer, worker);
    const app = await fixture.open({ chainStartBlock: (await chain.anvil.blockNumber()) + 1 });
    await chain.abandon(early, early.root, worker.wallet);
    const late = await market.hired(buyer, other);
    await app.index();
    expect(await market.nodeStates(late.taskId)).toEqual({ 1: 'funded' });
    expect(await market.task(early.taskId)).toMatchObject({ status: 'draft' });
    expect([...app.indexerStatus.inconsistentTasks]).toEqual([early.taskId]);
  });
});

describe.each([0, 40])('answers that do not fit together (and %i blocks more)', (more) => {
  const elsewhere = `0x${'99'.repeat(32)}`;
  type Question = { method: string; tag: unknown; asked: number; head: string; old: object[] };
  type Case = [string, (question: Question, result: any) => unknown];
  // Each of the newest blocks is asked for once, and its events by its hash.
  const changing: Case = [
    'a last block of a long range that changes while it is read',
    ({ method, tag, asked, head }, result) =>
      method === 'eth_getBlockByNumber' && Number(tag) === Number(head) - 32 && asked > 1
        ? { ...result, hash: elsewhere }
        : result,
  ];

  it.each<Case>([
    ...(more === 0 ? [] : [changing]),
    [
      'logs of a block that is not the one with that number',
      ({ method }, result) =>
        method === 'eth_getLogs' ? result.map((log: object) => ({ ...log, blockHash: elsewhere })) : result,
    ],
    [
      'logs from before the range',
      ({ method, old }, result) => (method === 'eth_getLogs' ? [...old, ...result] : result),
    ],
    [
      'logs from beyond the chain',
      ({ method }, result) =>
        method === 'eth_getLogs' ? result.map((log: object) => ({ ...log, blockNumber: '0xffffff' })) : result,
    ],
    [
      'a block that does not go on from the one before',
      ({ method, tag }, result) =>
        method === 'eth_getBlockByNumber' && tag !== '0x0' ? { ...result, parentHash: elsewhere } : result,
    ],
  ])('(%s) are thrown away whole', async (_name, tamper) => {
    const proxy = await fixture.proxied();
    const app = await fixture.open({ rpcUrl: proxy.url });
    const earlier = await market.hired(buyer, worker);
    await app.index();
    const tree = await market.hired(buyer, worker);
    await chain.anvil.rpc('anvil_mine', `0x${more.toString(16)}`);
    const before = await derivedState(market.dataSource);
    const old = await chain.anvil.rpc<object[]>('eth_getLogs', { fromBlock: '0x0', address: earlier.escrow });
    const head = `0x${(await chain.anvil.blockNumber()).toString(16)}`;
    const asked = new Map<unknown, number>();
    proxy.tamper = ({ method, params: [tag] }, answer) => {
      asked.set(tag, (asked.get(tag) ?? 0) + 1);
      const question = { method, tag, asked: asked.get(tag) ?? 0, head, old };
      return answer.result ? { ...answer, result: tamper(question, answer.result) } : answer;
    };
    expect(await app.get(IndexerService).advance()).toBe('idle');
    expect(await derivedState(market.dataSource)).toEqual(before);
    proxy.tamper = (_call, answer) => answer;
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
  });
});

describe('the database of another chain', () => {
  it('is refused with a sentence: another factory, another first block, another chain', async () => {
    await fixture.open();
    const update = (sql: string) => market.dataSource.query(`UPDATE chain_identity SET ${sql}`);
    await update(`escrow_factory_address = '0x${'1'.repeat(40)}'`);
    await expect(fixture.open()).rejects.toThrow('holds the index of the factory 0x1111');
    await update(`escrow_factory_address = '${chain.factory}', genesis_hash = '0x${'2'.repeat(64)}'`);
    await expect(fixture.open()).rejects.toThrow('the first block is not the same');
    await update('chain_id = 8453');
    await expect(fixture.open()).rejects.toThrow('holds the index of chain 8453, but CHAIN_ID is 31337');
    expect(await market.dataSource.query('SELECT chain_id FROM chain_identity')).toEqual([{ chain_id: '8453' }]);
  });

  it('is bound once by processes that start together', async () => {
    await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
    expect(await market.dataSource.query('SELECT chain_id FROM chain_identity')).toEqual([{ chain_id: '31337' }]);
  });

  it('without a schema is refused with a sentence', async () => {
    const index = await fixture.open();
    fixture.databaseUrl = await createDatabase();
    await expect(fixture.open()).rejects.toThrow();
    const empty = await new DataSource({ type: 'postgres', url: fixture.databaseUrl }).initialize();
    const [client, config, environment] = [index.get(ChainClient), index.get(ChainConfig), index.get(Environment)];
    const identity = new ChainIdentity(empty, client, config, environment, index.get(ChainArrival));
    await expect(identity.claim()).rejects.toThrow('The database has no schema yet. Run the migrations');
    await empty.destroy();
  });

  it('is not emptied when another chain answers at the same address while the service runs', async () => {
    const proxy = await fixture.proxied();
    const app = await fixture.open({ rpcUrl: proxy.url });
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = await derivedState(market.dataSource);
    proxy.tamper = ({ method }, answer) =>
      method === 'eth_getBlockByNumber' && answer.result
        ? { ...answer, result: { ...answer.result, hash: id(answer.result.hash) } }
        : answer;
    await expect(app.index()).rejects.toThrow('the first block is not the same');
    expect(await derivedState(market.dataSource)).toEqual(before);
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
  });
});

it('blocks without facts are forgotten after a while, those with facts never', async () => {
  const app = await fixture.open();
  const tree = await market.hired(buyer, worker);
  for (let block = 0; block < 20; block += 1) {
    await chain.anvil.mine();
    await app.index();
  }
  const numbersOf = async (sql: string) =>
    (await market.dataSource.query<{ number: number }[]>(sql)).map(({ number }) => number);
  const withFacts = await numbersOf('SELECT DISTINCT block_number AS number FROM chain_facts ORDER BY 1');
  const blocks = () => numbersOf('SELECT number FROM chain_blocks ORDER BY number');
  expect((await blocks()).length).toBeGreaterThanOrEqual(withFacts.length + 20);
  await chain.anvil.rpc('anvil_mine', '0x7d0');
  await app.index();
  const [kept, tip] = [await blocks(), await chain.anvil.blockNumber()];
  expect(kept.filter((number) => number < tip - 1_024)).toEqual(withFacts);
  expect(kept).toContain(tip);
  await chain.abandon(tree, tree.root, worker.wallet);
  await app.index();
  expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'refunded' });
});
