import {
  encodeFinalize,
  encodeRuleDispute,
  nodeNonce,
  senderAuth,
  taskEscrowAbi,
} from '../../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, type Hex } from '../../../libs/kernel/src/index.js';
import { HttpMarket } from './http-market.js';
import {
  deliver,
  hire,
  hireBelow,
  nodeSeenBy,
  offer,
  type OpenTask,
  openTask,
  reviewPath,
  usdc,
  withdrawAll,
} from './steps.js';
import type { Trader } from './trader.js';

const DAY = 86_400;
const ACCEPT_WINDOW = 259_200;
/** Longer than the window in which a rejection may be contested (docs/decisions/escrow.md#time-windows). */
const CONTEST_OVER = 8 * DAY;
/** Longer than the time that the arbiter has. */
const RULING_OVER = 31 * DAY;

let market: HttpMarket;
let buyer: Trader;
let worker: Trader;
let child: Trader;

beforeAll(async () => {
  market = await HttpMarket.start();
});

afterAll(async () => {
  try {
    await expectReconciled();
  } finally {
    await market?.stop();
  }
});

beforeEach(async () => {
  [buyer, worker, child] = [
    await market.trader('Buyer'),
    await market.trader('Worker'),
    await market.trader('Child worker'),
  ];
});

/**
 * Expects the index and the contracts to agree to the base unit in every tree, including those that earlier tests have
 * left.
 */
async function expectReconciled(): Promise<void> {
  const { code, output } = await market.reconcile();
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^equal/m) });
}

/** How much a wallet has gained or lost since it got its first 10,000 USDC, in base units. */
async function gained({ address }: { address: string }): Promise<bigint> {
  return (await market.chain.balanceOf(address)) - 10_000_000_000n;
}

/** Base units that are still in the escrow of a task. */
function left({ escrow }: OpenTask): Promise<bigint> {
  return market.chain.balanceOf(escrow);
}

/** A funded root node of 100 USDC, with a child of 40 USDC paid from it. */
async function twoLevels(
  own: Record<string, unknown> = {},
  terms: { root?: object; below?: object } = {},
): Promise<{ task: OpenTask; root: string; below: string }> {
  const task = await openTask(buyer, own);
  const root = await hire(task, worker, 100, { ...terms.root });
  const below = await hireBelow(task, { hirer: worker, parentId: root }, child, 40, { ...terms.below });
  return { task, root, below };
}

async function refund(who: Trader, task: OpenTask, destination: string = who.address): Promise<void> {
  await who.act('buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`, { destination });
}

function claim(who: Trader, task: OpenTask, nodeId: string): Promise<any> {
  return who.act('read', `/v1/tasks/${task.id}/nodes/${nodeId}/non-delivery-claim-intents`);
}

function accept(who: Trader, task: OpenTask, nodeId: string | null): Promise<any> {
  const scope = nodeId === null ? 'buyer' : 'worker';
  return who.act(scope, `${reviewPath(task, nodeId)}/resolution`, { resolution: 'accept' });
}

function reject(who: Trader, task: OpenTask, nodeId: string | null): Promise<any> {
  const scope = nodeId === null ? 'buyer' : 'worker';
  return who.act(scope, `${reviewPath(task, nodeId)}/reject-intents`, { reason: 'It is not what was agreed.' });
}

/** Sends the arbiter's ruling from its wallet, because the API has no operation for it. */
async function rule(arbiter: Trader, task: OpenTask, node: bigint, workerShare: bigint): Promise<void> {
  const { version } = await market.view(task.escrow, taskEscrowAbi, 'node', [node]);
  const fields = {
    actionId: `0x${'01'.repeat(32)}` as Hex,
    requestDigest: EMPTY_REQUEST_DIGEST,
    nonce: nodeNonce(node, Number(version)),
    validUntil: 40_000_000_000n,
  };
  const data = encodeRuleDispute(node, workerShare, `0x${'02'.repeat(32)}`, senderAuth(fields));
  await market.chain.sendAs(arbiter.address, { to: task.escrow, data });
  await market.indexed();
}

describe('a silent party', () => {
  it('a buyer who never answers has accepted: both workers take their money', async () => {
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await accept(worker, task, below);
    await deliver(worker, task, root);
    expect((await child.get('/v1/earnings')).body).toMatchObject({ pending: '40.00', claimable: '0.00' });
    await market.travel(ACCEPT_WINDOW + 60);
    expect(await nodeSeenBy(worker, task, root)).toMatchObject({ state: 'delivered', effective_state: 'released' });
    await withdrawAll(child);
    await withdrawAll(worker);
    expect([await gained(worker), await gained(child), await left(task)]).toEqual([60_000_000n, 40_000_000n, 0n]);
  });

  it('a worker who never delivers: the buyer has all of it back, though it had hired below', async () => {
    const { task, root, below } = await twoLevels();
    await market.travel(31 * DAY);
    await claim(buyer, task, root);
    await refund(buyer, task);
    expect([await gained(buyer), await gained(worker), await left(task)]).toEqual([0n, 0n, 0n]);
    // The child's part was refunded with the node above it, so a late delivery earns nothing.
    expect((await child.get('/v1/earnings')).body).toMatchObject({ pending: '0.00', claimable: '0.00' });
    expect((await nodeSeenBy(child, task, below)).allowed_actions).not.toContain('deliver');
  });

  it('a child worker who never delivers: its part goes back to the node above, whose worker is paid for all', async () => {
    const { task, root, below } = await twoLevels();
    await market.travel(16 * DAY);
    await claim(worker, task, below);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await withdrawAll(worker);
    expect([await gained(worker), await gained(child), await left(task)]).toEqual([100_000_000n, 0n, 0n]);
  });

  it('a hirer in the middle who never answers: its child worker is paid when the buyer accepts the whole', async () => {
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await market.travel(ACCEPT_WINDOW + 60);
    await withdrawAll(child);
    expect(await gained(child)).toBe(40_000_000n);
    await withdrawAll(worker);
    expect([await gained(worker), await left(task)]).toEqual([60_000_000n, 0n]);
  });

  it('a worker who does not contest a rejection: the buyer takes the money back without any further word of it', async () => {
    const arbiter = await market.trader('Arbiter');
    const { task, root, below } = await twoLevels({ arbiter: arbiter.address });
    await deliver(worker, task, root);
    await reject(buyer, task, null);
    await market.travel(CONTEST_OVER);
    await market.travel(31 * DAY);
    await refund(buyer, task);
    expect([await gained(buyer), await left(task)]).toEqual([0n, 0n]);
    expect((await nodeSeenBy(child, task, below)).allowed_actions).not.toContain('withdraw_earnings');
  });

  it('a child worker who does not contest a rejection: the worker above takes its part without any further word of it', async () => {
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await reject(worker, task, below);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await withdrawAll(worker);
    expect([await gained(worker), await left(task)]).toEqual([60_000_000n, 40_000_000n]);
    expect((await nodeSeenBy(worker, task, root)).allowed_actions).not.toContain('withdraw_earnings');
    await market.travel(RULING_OVER);
    expect((await worker.get('/v1/earnings')).body).toMatchObject({
      pending: '0.00',
      claimable: '40.00',
      paid: '60.00',
    });
    expect((await nodeSeenBy(worker, task, root)).allowed_actions).toContain('withdraw_earnings');
    await withdrawAll(worker);
    expect([await gained(worker), await gained(child), await left(task)]).toEqual([100_000_000n, 0n, 0n]);
    expect(await nodeSeenBy(child, task, below)).toMatchObject({ state: 'refunded', outcome: 'rejection_final' });
  });

  it.each([
    ['does not contest a rejection', { below: { max_revisions: 3 } }, 0n],
    ['contests it before a silent arbiter', { below: { floor: usdc(15) } }, 15_000_000n],
  ])(
    'a child worker who %s: what comes back to a node that still runs is promised again',
    async (_what, terms, kept) => {
      const arbiter = await market.trader('Arbiter');
      const { task, root, below } = await twoLevels({ arbiter: arbiter.address }, { root: { days: 60 }, ...terms });
      await deliver(child, task, below);
      await reject(worker, task, below);
      if (kept > 0n) await child.act('worker', `/v1/tasks/${task.id}/nodes/${below}/dispute-intents`);
      await market.travel(RULING_OVER);
      expect(await nodeSeenBy(worker, task, root)).toMatchObject({
        unallocated: { amount: kept === 0n ? '100.00' : '85.00' },
      });
      const third = await market.trader('Third worker');
      const price = kept === 0n ? 50 : 35;
      const again = await hireBelow(task, { hirer: worker, parentId: root }, third, price, { max_revisions: 0 });
      expect(await nodeSeenBy(worker, task, below)).toMatchObject({ state: kept === 0n ? 'refunded' : 'released' });
      expect(await nodeSeenBy(third, task, again)).toMatchObject({ state: 'funded' });
      expect((await nodeSeenBy(worker, task, root)).allowed_actions).not.toContain('abandon_node');
    },
  );

  it('a child worker who does not contest a rejection: the node above can be given up at once', async () => {
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await reject(worker, task, below);
    expect((await nodeSeenBy(worker, task, root)).allowed_actions).not.toContain('abandon_node');
    await market.travel(16 * DAY);
    expect((await nodeSeenBy(worker, task, root)).allowed_actions).toContain('abandon_node');
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/abandon-intents`);
    await refund(buyer, task);
    expect([await gained(buyer), await left(task)]).toEqual([0n, 0n]);
    expect(await nodeSeenBy(child, task, below)).toMatchObject({ state: 'refunded', outcome: 'rejection_final' });
  });

  it("an arbiter who never rules on a child whose worker never comes back: the worker above has all but the child's floor", async () => {
    const arbiter = await market.trader('Arbiter');
    const { task, root, below } = await twoLevels({ arbiter: arbiter.address }, { below: { floor: usdc(15) } });
    await deliver(child, task, below);
    await reject(worker, task, below);
    await child.act('worker', `/v1/tasks/${task.id}/nodes/${below}/dispute-intents`);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await market.travel(RULING_OVER);
    await withdrawAll(worker);
    // The withdrawal writes down that the arbiter was silent, which pays the child as it had asked.
    expect([await gained(worker), await gained(child)]).toEqual([85_000_000n, 15_000_000n]);
    expect(await left(task)).toBe(0n);
  });

  it.each([
    ['the worker has the floor, and the buyer the rest', 30, 30_000_000n],
    ['with a floor of nothing, all of it is the buyer’s', 0, 0n],
    ['with a floor of everything, all of it is the worker’s', 100, 100_000_000n],
  ])('an arbiter who never rules: %s', async (_what, floor, share) => {
    const arbiter = await market.trader('Arbiter');
    const task = await openTask(buyer, { arbiter: arbiter.address });
    const root = await hire(task, worker, 100, { floor: usdc(floor) });
    await deliver(worker, task, root);
    await reject(buyer, task, null);
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/dispute-intents`);
    await market.travel(RULING_OVER);
    if (share < 100_000_000n) await refund(buyer, task);
    await withdrawAll(worker);
    expect([await gained(buyer), await gained(worker), await left(task)]).toEqual([-share, share, 0n]);
  });

  it('an arbiter who rules: what it decides is taken by both sides', async () => {
    const arbiter = await market.trader('Arbiter');
    const task = await openTask(buyer, { arbiter: arbiter.address });
    const root = await hire(task, worker, 100);
    await deliver(worker, task, root);
    await reject(buyer, task, null);
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/dispute-intents`);
    await rule(arbiter, task, 1n, 30_000_000n);
    await refund(buyer, task);
    await withdrawAll(worker);
    expect([await gained(buyer), await gained(worker), await left(task)]).toEqual([-30_000_000n, 30_000_000n, 0n]);
  });
});

describe('a worker that may not have the token', () => {
  afterEach(() => market.chain.callUsdc('unBlacklist', [worker.address]));

  it('takes its share to another wallet, and everyone else takes theirs as if nothing were', async () => {
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await accept(worker, task, below);
    await deliver(worker, task, root);
    await market.chain.callUsdc('blacklist', [worker.address]);
    await market.indexed();
    // The worker asked to be paid at once; the token refuses, so the money waits for it.
    await accept(buyer, task, null);
    await withdrawAll(child);
    expect(await gained(child)).toBe(40_000_000n);
    const own = await worker.post('worker', '/v1/earnings/withdrawal-intents', {
      body: { destination: worker.address },
    });
    expect([own.status, own.body.error?.code]).toEqual([409, 'state_conflict']);
    expect((await worker.get('/v1/earnings')).body).toMatchObject({ claimable: '60.00' });
    const other = market.chain.wallet().address;
    await withdrawAll(worker, other);
    expect([await market.chain.balanceOf(other), await left(task)]).toEqual([60_000_000n, 0n]);
  });

  it('a buyer that may not have it takes a refund to another wallet', async () => {
    const task = await openTask(buyer);
    const root = await hire(task, worker, 100);
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/abandon-intents`);
    await market.chain.callUsdc('blacklist', [buyer.address]);
    await market.indexed();
    const own = await buyer.post('buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`, {
      body: { destination: buyer.address },
    });
    expect(own.status).toBe(409);
    const other = market.chain.wallet().address;
    await refund(buyer, task, other);
    expect([await market.chain.balanceOf(other), await left(task)]).toEqual([100_000_000n, 0n]);
  });
});

it('a paused token delays what moves money and nothing else; unpaused, everyone has theirs', async () => {
  const { task, root, below } = await twoLevels();
  const second = await openTask(buyer);
  await offer(worker, second, 50);
  await market.chain.callUsdc('pause', []);
  await market.indexed();
  try {
    await deliver(child, task, below);
    await accept(worker, task, below);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await buyer.act('buyer', `/v1/tasks/${second.id}/selection-intents`, { mode: 'manual', agent_id: worker.agentId });
    const refused = [
      await child.post('worker', '/v1/earnings/withdrawal-intents', { body: { destination: child.address } }),
      await buyer.post('buyer', `/v1/tasks/${second.id}/funding-intents`),
    ];
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [409, 'state_conflict'],
      [409, 'state_conflict'],
    ]);
  } finally {
    await market.chain.callUsdc('unpause', []);
    await market.indexed();
  }
  await withdrawAll(child);
  await withdrawAll(worker);
  await buyer.act('buyer', `/v1/tasks/${second.id}/funding-intents`);
  expect([await gained(worker), await gained(child), await left(task)]).toEqual([60_000_000n, 40_000_000n, 0n]);
  expect(await left(second)).toBe(50_000_000n);
});

describe('a contract wallet that no longer agrees to anything', () => {
  /** From now on every call to the wallet's contract fails, including `isValidSignature`. */
  const breakWallet = (trader: Trader): Promise<unknown> =>
    market.chain.anvil.rpc('anvil_setCode', trader.address, '0x5f5ffd');

  it('as the worker in the middle: its child is paid, its hirer is not held up', async () => {
    worker = await market.trader('Contract worker', 'contract');
    const { task, root, below } = await twoLevels();
    await deliver(child, task, below);
    await accept(worker, task, below);
    await deliver(worker, task, root, 'All of it.', { pay_out: false });
    await breakWallet(worker);
    await accept(buyer, task, null);
    await withdrawAll(child);
    expect([await gained(child), await left(task)]).toEqual([40_000_000n, 60_000_000n]);
    const action = await worker.prepare('worker', '/v1/earnings/withdrawal-intents', { destination: worker.address });
    const signature = await worker.sign(action);
    const path = `/v1/actions/${action.action_id}/submissions`;
    const refused = await worker.post('worker', path, { body: { signature } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'wallet_mismatch']);
  });

  it('as a worker that asked to be paid at once: the acceptance pays it, because nothing is asked of its wallet', async () => {
    worker = await market.trader('Contract worker', 'contract');
    const task = await openTask(buyer);
    const root = await hire(task, worker, 100);
    await deliver(worker, task, root);
    await breakWallet(worker);
    await accept(buyer, task, null);
    expect([await gained(worker), await left(task)]).toEqual([100_000_000n, 0n]);
    expect((await worker.get('/v1/earnings')).body).toMatchObject({ claimable: '0.00', paid: '100.00' });
  });

  it('as the child: the node above is not held up, and the child itself cannot be paid against its own will', async () => {
    child = await market.trader('Contract child', 'contract');
    const { task, root, below } = await twoLevels();
    await breakWallet(child);
    await market.travel(16 * DAY);
    await claim(worker, task, below);
    await deliver(worker, task, root);
    await accept(buyer, task, null);
    await withdrawAll(worker);
    expect([await gained(worker), await left(task)]).toEqual([100_000_000n, 0n]);
  });

  it('as the buyer: silence accepts, and both workers are paid', async () => {
    buyer = await market.trader('Contract buyer', 'contract');
    const { task, root, below } = await twoLevels();
    await breakWallet(buyer);
    await deliver(child, task, below);
    await accept(worker, task, below);
    await deliver(worker, task, root);
    await market.travel(ACCEPT_WINDOW + 60);
    await withdrawAll(worker);
    await withdrawAll(child);
    expect([await gained(worker), await gained(child), await left(task)]).toEqual([60_000_000n, 40_000_000n, 0n]);
  });
});

describe('a worker who promises all that it may to a puppet, delivers junk and takes the rejection to the arbiter', () => {
  const FLOOR = { root: { floor: usdc(40) } };
  let arbiter: Trader;
  let played: { task: OpenTask; root: string; below: string };

  beforeEach(async () => {
    arbiter = await market.trader('Arbiter');
    played = await twoLevels({ arbiter: arbiter.address }, FLOOR);
    const { task, root, below } = played;
    await deliver(child, task, below, 'Nothing.');
    await accept(worker, task, below);
    await deliver(worker, task, root, 'Nothing either.');
    await reject(buyer, task, null);
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/dispute-intents`);
  });

  it('costs the buyer the floor and no more if the arbiter stays silent', async () => {
    const { task } = played;
    await market.travel(RULING_OVER);
    await refund(buyer, task);
    await withdrawAll(child);
    await withdrawAll(worker);
    expect([await gained(buyer), await gained(worker), await gained(child)]).toEqual([-40_000_000n, 0n, 40_000_000n]);
    expect(await left(task)).toBe(0n);
  });

  it('costs the buyer nothing if the arbiter rules so', async () => {
    const { task } = played;
    await rule(arbiter, task, 1n, 0n);
    await refund(buyer, task);
    expect([await gained(buyer), await gained(child), await left(task)]).toEqual([0n, 0n, 0n]);
    expect((await child.get('/v1/earnings')).body).toMatchObject({ pending: '0.00', claimable: '0.00' });
  });
});

describe('a buyer who rejects whatever is delivered', () => {
  it('has the worker’s floor to pay if the arbiter stays silent, and those below are paid out of it', async () => {
    const arbiter = await market.trader('Arbiter');
    const { task, root, below } = await twoLevels({ arbiter: arbiter.address }, { root: { floor: usdc(70) } });
    await deliver(child, task, below);
    await accept(worker, task, below);
    for (const text of ['First.', 'Second.', 'Third.', 'Fourth.']) {
      await deliver(worker, task, root, text);
      await reject(buyer, task, null);
    }
    const fifth = await worker.upload('Fifth.');
    const over = await worker.post('worker', '/v1/deliveries', { body: { task_id: task.id, node_id: root, ...fifth } });
    expect([over.status, over.body.error.code]).toEqual([409, 'state_conflict']);
    await worker.act('worker', `/v1/tasks/${task.id}/nodes/${root}/dispute-intents`);
    await market.travel(RULING_OVER);
    await refund(buyer, task);
    await withdrawAll(worker);
    await withdrawAll(child);
    expect([await gained(buyer), await gained(worker), await gained(child)]).toEqual([
      -70_000_000n,
      30_000_000n,
      40_000_000n,
    ]);
    expect(await left(task)).toBe(0n);
  });

  it('where there is no arbiter, pays nothing for the last revision that it rejects: both have signed that', async () => {
    const task = await openTask(buyer);
    const root = await hire(task, worker, 100, { max_revisions: 0 });
    await deliver(worker, task, root);
    await reject(buyer, task, null);
    expect(await nodeSeenBy(worker, task, root)).toMatchObject({ state: 'refunded', outcome: 'rejection_final' });
    await refund(buyer, task);
    expect([await gained(buyer), await gained(worker), await left(task)]).toEqual([0n, 0n, 0n]);
  });
});

describe('a griefing worker in the middle', () => {
  it('may not abandon a node with live children, and its hirer has the rest back when it does not deliver', async () => {
    const { task, root, below } = await twoLevels();
    const refused = await worker.post('worker', `/v1/tasks/${task.id}/nodes/${root}/abandon-intents`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'state_conflict']);
    expect((await nodeSeenBy(worker, task, root)).allowed_actions).not.toContain('abandon_node');
    await deliver(child, task, below);
    await accept(worker, task, below);
    await market.travel(31 * DAY);
    // Anyone who sees the node may claim; the child's worker does not see it.
    await claim(buyer, task, root);
    await refund(buyer, task);
    expect([await gained(buyer), await left(task)]).toEqual([0n, 0n]);
  });

  it('cannot keep a hirer-funded child from its money, whatever happens to its own node', async () => {
    const task = await openTask(buyer);
    const root = await hire(task, worker, 100);
    const below = await hireBelow(task, { hirer: worker, parentId: root }, child, 40, { hirer_funded: true });
    await deliver(child, task, below);
    await reject(worker, task, below);
    await deliver(child, task, below, 'Once more.');
    await market.travel(ACCEPT_WINDOW + 60);
    await withdrawAll(child);
    expect(await gained(child)).toBe(40_000_000n);
    await market.travel(31 * DAY);
    await claim(buyer, task, root);
    await refund(buyer, task);
    expect([await gained(buyer), await gained(worker), await left(task)]).toEqual([0n, -40_000_000n, 0n]);
  });

  it('anybody may write down what time has decided, without an account', async () => {
    const { task, root } = await twoLevels();
    await deliver(worker, task, root);
    await market.travel(ACCEPT_WINDOW + 60);
    await market.chain.send(task.escrow, encodeFinalize(1n));
    await market.indexed();
    expect(await nodeSeenBy(buyer, task, root)).toMatchObject({ state: 'released', outcome: 'accept_window_lapsed' });
    // The worker asked to be paid at once, so that whoever wrote it down has paid it, too.
    expect(await gained(worker)).toBe(60_000_000n);
    expect(await market.view(task.escrow, taskEscrowAbi, 'withdrawable', [1n])).toBe(0n);
  });
});

it('an offer above what is left of a node’s floor is refused, and its money is promised once only', async () => {
  const { task, root } = await twoLevels();
  const third = await market.trader('Third worker');
  const over = await third.post('worker', '/v1/quotes', {
    body: {
      task_id: task.id,
      price: usdc('10.000001'),
      work_seconds: 10 * DAY,
      terms_hash: task.termsHash,
      parent_node_id: root,
    },
  });
  expect([over.status, over.body.error.code]).toEqual([409, 'insufficient_unallocated']);
});
