import type { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { ScriptedChain } from '../../../src/dev/bench/indexer/scripted-chain.js';
import { SCRIPTED_FACTORY } from '../../../src/dev/bench/indexer/scripted-contracts.js';
import { ScriptedTree } from '../../../src/dev/bench/indexer/scripted-tree.js';
import { TreePublisher } from '../../../src/modules/escrow/publication/tree-publisher.js';
import { SettledBriefs } from '../../../src/modules/matching/search-tables/settled-briefs/settled-briefs.js';
import { DomainEvents } from '../../../src/modules/events/domain-events.js';
import { ReputationService } from '../../../src/modules/reputation/reputation.service.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { randomWallet } from '../../support/random-wallet.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

jest.setTimeout(120_000);

const AMOUNT = 1_000_000n;

let chain: ScriptedChain;
let dataSource: DataSource;
let app: TestService;

beforeEach(async () => {
  chain = await ScriptedChain.start(31337, Math.floor(Date.now() / 1000) - 100_000);
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  app = await TestService.start(database.url, { rpcUrl: chain.url, escrowFactoryAddress: SCRIPTED_FACTORY });
});

afterEach(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

const addressOf = () => randomWallet().address as Hex;
const publish = (taskIds: readonly string[]) =>
  app.get(Transactions).run((manager) => app.get(TreePublisher).publish(manager, taskIds));

/** Puts trees on the chain that settle, one for each worker, in the order of their tasks. */
async function settledTrees(buyerId: string, workers: readonly Hex[]): Promise<string[]> {
  const rows = new MarketRows(dataSource);
  const drafts: { id: string; escrow: Hex; buyer: Hex }[] = [];
  for (const _ of workers) {
    const [escrow, buyer] = [addressOf(), addressOf()];
    const { id } = await rows.task(buyerId, { status: 'draft', escrowAddress: escrow, buyerWallet: buyer });
    drafts.push({ id, escrow, buyer });
  }
  drafts.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const [at, { id: taskId, escrow, buyer }] of drafts.entries()) {
    const tree = new ScriptedTree({ taskId, factory: SCRIPTED_FACTORY, escrow, buyer });
    chain.mine([tree.created(), tree.funded(1n, workers[at]!, AMOUNT), tree.delivered(1n), tree.accepted(1n, AMOUNT)]);
  }
  return drafts.map(({ id }) => id);
}

it('trees that are published in halves and others never wait for each other in a circle', async () => {
  const rows = new MarketRows(dataSource);
  const buyerId = await rows.account('Buyer', addressOf());
  const agents: { id: string; wallet: Hex }[] = [];
  for (const name of ['One', 'Two']) {
    const wallet = addressOf();
    agents.push({ id: await rows.agent(await rows.account(name, wallet), wallet), wallet });
  }
  const [low, high] = agents.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ wallet }) => wallet) as [Hex, Hex];
  const halved = await settledTrees(buyerId, [high, high, low]);
  const others = await settledTrees(buyerId, [low, high]);
  const [, bad, last] = halved;
  // The one row of statistics, which so small a market writes with every brief, would let the two meet only there.
  jest.spyOn(app.get(SettledBriefs), 'keepAll').mockResolvedValue();
  jest.spyOn(app.get(TreePublisher), 'publish').mockResolvedValueOnce([]);
  await app.index();
  expect(await dataSource.query('SELECT * FROM settlements')).toEqual([]);
  await dataSource.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.task_id = '${bad}' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END $$`);
  await dataSource.query('CREATE TRIGGER refuse BEFORE INSERT ON escrow_nodes FOR EACH ROW EXECUTE FUNCTION refuse()');

  // The later agent is locked with the first tree, before the earlier one with the last. The other transaction locks
  // both at once, the earlier one first.
  let goOn = (): void => undefined;
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  let isReached = false;
  const reputation = app.get(ReputationService);
  const settle = reputation.settle.bind(reputation);
  jest.spyOn(reputation, 'settle').mockImplementation(async (manager, added, ...more) => {
    if (added.length === 1 && added[0]!.taskId === last) {
      isReached = true;
      await mayGoOn;
    }
    return settle(manager, added, ...more);
  });
  const inHalves = publish(halved);
  await eventually(() => isReached);
  const atOnce = publish(others);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => (await dataSource.query<unknown[]>(waiting)).length > 0);
  goOn();
  const [failures, none] = await Promise.all([inHalves, atOnce]);
  expect(failures).toMatchObject([{ taskId: bad }]);
  expect(none).toEqual([]);
  const settled = await dataSource.query<{ task_id: string }[]>('SELECT task_id FROM settlements ORDER BY task_id');
  expect(settled.map(({ task_id }) => task_id)).toEqual([...halved.filter((id) => id !== bad), ...others].sort());
});

it('two transactions that both publish in halves wait one for the other', async () => {
  const buyerId = await new MarketRows(dataSource).account('Buyer', addressOf());
  const [one, two] = [
    await settledTrees(buyerId, Array(3).fill(addressOf())),
    await settledTrees(buyerId, Array(3).fill(addressOf())),
  ];
  jest.spyOn(app.get(TreePublisher), 'publish').mockResolvedValueOnce([]);
  await app.index();
  await dataSource.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.task_id IN ('${one[0]}', '${two[2]}') THEN RAISE EXCEPTION 'not these'; END IF; RETURN NEW; END $$`);
  await dataSource.query('CREATE TRIGGER refuse BEFORE INSERT ON escrow_nodes FOR EACH ROW EXECUTE FUNCTION refuse()');
  // Both have begun, and share the lock, before either meets the tree at fault.
  let inside = 0;
  let meet = (): void => undefined;
  const both = new Promise<void>((resolve) => (meet = resolve));
  app.get(DomainEvents).on('trees_changed', async (_manager, { trees }) => {
    if (trees.length < 3) return;
    inside += 1;
    if (inside === 2) meet();
    await both;
  });
  const failures = await Promise.all([publish(one), publish(two)]);
  expect(failures).toMatchObject([[{ taskId: one[0] }], [{ taskId: two[2] }]]);
  const [{ nodes }] = await dataSource.query<[{ nodes: number }]>(
    'SELECT count(*)::integer AS nodes FROM escrow_nodes',
  );
  expect(nodes).toBe(4);
});
