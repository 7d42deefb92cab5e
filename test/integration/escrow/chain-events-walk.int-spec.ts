import { randomInt } from 'node:crypto';
import type { NodeTerms } from '../../../libs/contracts/src/index.js';
import type { ChainMarket } from '../../support/chain-market.js';
import { EventModel } from '../../support/event-model.js';
import { eventually } from '../../support/eventually.js';
import { IndexFixture } from '../../support/index-fixture.js';
import type { HiredTree, IndexedMarket, Party } from '../../support/indexed-market.js';
import type { TestService } from '../../support/test-service.js';
import { Random } from '../../support/random.js';

const ROUNDS = Number(process.env.CHAIN_WALK_ROUNDS ?? 25);
const STEPS = 6;
const seeds =
  process.env.CHAIN_WALK_SEED === undefined ? [27, randomInt(2 ** 31)] : [Number(process.env.CHAIN_WALK_SEED)];

interface Hired {
  readonly tree: HiredTree;
  readonly terms: NodeTerms;
  readonly hirer: Party;
  readonly worker: Party;
}

const fixture = new IndexFixture();

/** Does at random what people do on the chain, and takes some of it back. What the chain refuses is not done. */
class ChainWalk {
  private readonly nodes: Hired[] = [];
  private nextIndex = 100;
  private snapshot: unknown = null;
  readonly taskIds = new Set<string>();

  constructor(
    private readonly random: Random,
    private readonly chain: ChainMarket,
    private readonly market: IndexedMarket,
    private readonly parties: { buyer: Party; worker: Party; other: Party },
  ) {}

  async step(): Promise<void> {
    const moves = { hire: 2, below: 3, deliver: 6, reject: 3, resolve: 4, abandon: 1, agree: 1, take: 3, travel: 0.5 };
    const move = this.random.weighted(moves);
    const on = this.random.pick(this.nodes);
    const done = on === undefined || move === 'hire' ? this.hire() : this.act(move, on);
    await done.catch((error: unknown) => {
      if (!/refused|revert|eth_|did not return/i.test(String(error))) throw error;
    });
  }

  /** Remembers where the chain is, or has it go back there and grow beyond where it was. */
  async reorganise(): Promise<void> {
    const { anvil } = this.chain;
    if (this.snapshot !== null) {
      const height = await anvil.blockNumber();
      await anvil.rpc('evm_revert', this.snapshot);
      if (this.random.chance(0.5)) await this.step();
      await anvil.mine(Math.max(1, height - (await anvil.blockNumber()) + 1));
    }
    this.snapshot = await anvil.rpc('evm_snapshot');
  }

  private async hire(): Promise<void> {
    const { buyer, worker } = this.parties;
    const tree = await this.market.hired(buyer, worker);
    this.taskIds.add(tree.taskId);
    this.nodes.push({ tree, terms: tree.root, hirer: buyer, worker });
  }

  private async act(move: string, { tree, terms, hirer, worker }: Hired): Promise<unknown> {
    const { chain } = this;
    const { other } = this.parties;
    switch (move) {
      case 'below': {
        this.nextIndex += 1;
        const below = await this.market.hireBelow(tree, this.nextIndex, this.parties.worker, other, 5_000_000n);
        return this.nodes.push({ tree, terms: below, hirer: this.parties.worker, worker: other });
      }
      case 'deliver':
        return chain.deliver(tree, terms.nodeId, worker.wallet, { payOut: this.random.chance(0.3) });
      case 'reject':
        return chain.reject(tree, terms.nodeId, hirer.wallet);
      case 'resolve':
        return chain.resolve(tree, terms, hirer.wallet);
      case 'abandon':
        return chain.abandon(tree, terms, worker.wallet);
      case 'agree':
        return chain.agree(tree, terms, terms.amount / 4n, worker.wallet);
      case 'take':
        await chain.withdrawEarnings(tree, terms.nodeId, terms.amount, worker.wallet).catch(() => undefined);
        return chain.withdrawRefund(tree, 1_000_000n);
      default:
        return chain.anvil.rpc('evm_increaseTime', 86_400 * this.random.between(1, 4));
    }
  }
}

/** Status of every node that an account sees, and of every task. */
async function shown(market: IndexedMarket, reader: Party, taskIds: ReadonlySet<string>) {
  const nodes = await market.dataSource.query<{ id: string; state: string }[]>(
    'SELECT id, state FROM escrow_nodes WHERE $1 = ANY (visible_account_ids)',
    [reader.accountId],
  );
  const tasks = await market.dataSource.query<{ id: string; status: string }[]>(
    'SELECT id, status FROM tasks WHERE id = ANY ($1)',
    [[...taskIds]],
  );
  return {
    nodes: Object.fromEntries(nodes.map(({ id, state }) => [id, state])),
    tasks: Object.fromEntries(tasks.map(({ id, status }) => [id, status])),
  };
}

async function known(market: IndexedMarket, reader: Party, taskIds: ReadonlySet<string>) {
  const rows = await market.dataSource.query<{ document: string }[]>(
    `SELECT document FROM events JOIN event_audience USING (sequence) WHERE account_id IN ($1, 'public')
     ORDER BY sequence`,
    [reader.accountId],
  );
  const model = new EventModel();
  for (const { document } of rows) model.take(JSON.parse(document));
  const { nodes, tasks } = model;
  // The rows of the drafts were made without their events.
  return { nodes, tasks: Object.fromEntries([...taskIds].map((id) => [id, tasks[id] ?? 'draft'])) };
}

it.each(seeds)(
  'from its events alone everybody knows the status of every node and task that it sees, whatever the chain takes back (CHAIN_WALK_SEED=%s)',
  async (seed) => {
    const { chain, market, buyer, worker, other } = fixture;
    const random = new Random(seed);
    const walk = new ChainWalk(random, chain, market, { buyer, worker, other });
    let app: TestService = await fixture.open();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let step = 0; step < STEPS; step += 1) await walk.step();
      if (random.chance(0.5)) await walk.reorganise();
      if (random.chance(0.1)) {
        await fixture.close(app);
        app = await fixture.open();
      }
      await app.index();
      if (random.chance(0.1)) {
        await market.dataSource.query('TRUNCATE chain_facts, chain_blocks');
        await app.index();
      }
      await eventually(async () => (await market.dataSource.query<unknown[]>('SELECT FROM event_outbox')).length === 0);
      for (const reader of [buyer, worker, other]) {
        const what = { seed, round, reader: reader.accountId };
        const [is, told] = [await shown(market, reader, walk.taskIds), await known(market, reader, walk.taskIds)];
        // Who does not see a draft is not told of it.
        if (reader !== buyer) for (const id of walk.taskIds) if (is.tasks[id] === 'draft') delete is.tasks[id];
        if (reader !== buyer) for (const id of walk.taskIds) if (is.tasks[id] === undefined) delete told.tasks[id];
        expect({ ...what, ...told }).toEqual({ ...what, ...is });
      }
    }
    const [{ reverted }] = await market.dataSource.query<[{ reverted: number }]>(
      `SELECT count(*)::integer AS reverted FROM events WHERE document LIKE '%"chain.reverted"%'`,
    );
    expect(reverted).toBeGreaterThan(0);
  },
  300_000,
);
