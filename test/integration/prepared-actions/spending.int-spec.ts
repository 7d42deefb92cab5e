import { childPath, EMPTY_REQUEST_DIGEST } from '../../../libs/kernel/src/index.js';
import { NO_LIMITS, type SpendLimits } from '../../../src/modules/credentials/spending/spend-limits.js';
import { SpendPolicies } from '../../../src/modules/credentials/spending/spend-policies.js';
import { SpendPolicyReader } from '../../../src/modules/credentials/spending/spend-policy-reader.js';
import { SpendPoliciesSweeper } from '../../../src/modules/credentials/spending/spend-policies.sweeper.js';
import { ActionFollower } from '../../../src/modules/prepared-actions/following/action-follower.js';
import { ActionDeclines } from '../../../src/modules/prepared-actions/lifecycle/action-declines.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import type { KindInputs, PreparableKind } from '../../../src/modules/prepared-actions/registry/kind-registry.js';
import { SpendLedger } from '../../../src/modules/prepared-actions/spending/spend-ledger.js';
import { SpendReservationsSweeper } from '../../../src/modules/prepared-actions/spending/spend-reservations.sweeper.js';
import type { Trader } from '../../support/action-fixture.js';
import { codeOf, failureOf } from '../../support/failure.js';
import { FundingFixture, PRICE, type SelectedTask } from './funding-fixture.js';

const DAY_MS = 86_400_000;
const FINAL_BLOCKS = 1_801;

let fixture: FundingFixture;
let buyer: Trader;
let worker: Trader;

beforeAll(async () => {
  fixture = await FundingFixture.start();
  // These tests take some hours of one day in UTC, whatever the time is now.
  const { clock } = fixture.app;
  await pass(DAY_MS - (clock.nowMs() % DAY_MS) + 3_600_000);
  buyer = await fixture.person('buyer', 1_000n * PRICE);
  worker = await fixture.person('worker', 10n * PRICE);
});

afterAll(() => fixture?.stop());

async function policy(limits: Partial<SpendLimits>, { accountId }: Trader = buyer): Promise<string> {
  const id = await fixture.app.get(SpendPolicies).forKeys(accountId, { ...NO_LIMITS, ...limits });
  return id ?? '';
}

function prepareUnder<K extends PreparableKind>(
  spendPolicyId: string,
  kind: K,
  { accountId, address: walletAddress }: Trader,
  input: KindInputs[K],
) {
  const intent = { accountId, walletAddress, requestDigest: EMPTY_REQUEST_DIGEST, spendPolicyId };
  return fixture.app.get(PreparedActionsService).prepare(kind, intent, input);
}

const pay = (policyId: string, { task }: SelectedTask, fundingMode?: 'allowance') =>
  prepareUnder(policyId, 'fund_task', buyer, {
    taskId: task.id,
    ...(fundingMode === undefined ? {} : { fundingMode }),
  });

const selected = (price = PRICE) => fixture.selected(buyer, worker, { price });

async function spentOf(policyId: string): Promise<{ today: bigint; inTotal: bigint }> {
  const standing = await fixture.app.get(SpendLedger).standingOf(policyId);
  return standing!.spent;
}

async function counts(): Promise<unknown> {
  return fixture.dataSource.query(`SELECT (SELECT count(*) FROM prepared_actions) AS actions,
    (SELECT count(*) FROM spend_reservations) AS reservations, (SELECT count(*) FROM event_outbox) + (SELECT count(*) FROM events) AS events`);
}

async function decline({ action_id: id }: { action_id: string }): Promise<void> {
  const action = await fixture.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id });
  await fixture.app.get(ActionDeclines).decline(action, 'account', 'req_1');
}

/** Lets time pass for the service, the chain and the index. */
async function pass(ms: number): Promise<void> {
  fixture.app.clock.aheadMs += ms;
  await fixture.chain.anvil.rpc(
    'evm_setNextBlockTimestamp',
    `0x${Math.ceil(fixture.app.clock.nowMs() / 1000).toString(16)}`,
  );
  await fixture.chain.anvil.rpc('anvil_mine', '0x1');
  await fixture.index();
  await fixture.app.get(ActionFollower).follow();
}

describe('a spend policy', () => {
  it('lets exactly its amount be prepared and not one base unit more, and a refusal changes nothing', async () => {
    const [first, second] = [await selected(), await selected(2n)];
    const id = await policy({ perDay: PRICE + 1n });
    await pay(id, first);
    const before = await counts();
    expect(await failureOf(pay(id, second))).toMatchObject({
      code: 'spend_limit_exceeded',
      status: 403,
      details: [
        {
          limit: 'per_day',
          left: { amount: '0.000001', currency: 'USDC' },
          refills_at: expect.stringMatching(/T00:00:00\.000Z$/),
        },
      ],
    });
    expect(await counts()).toEqual(before);
    const third = await selected(1n);
    await pay(id, third);
    expect(await spentOf(id)).toEqual({ today: PRICE + 1n, inTotal: PRICE + 1n });
  });

  it('limits one payment, and a total that never refills', async () => {
    const task = await selected();
    expect(await failureOf(pay(await policy({ perPayment: PRICE - 1n }), task))).toMatchObject({
      details: [{ limit: 'per_payment', refills_at: null }],
    });
    const id = await policy({ inTotal: PRICE });
    await pay(id, task);
    expect(await failureOf(pay(id, await selected(1n)))).toMatchObject({
      details: [{ limit: 'total', left: { amount: '0.00' }, refills_at: null }],
    });
  });

  it('is never exceeded by two payments that are prepared at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const tasks = [await selected(), await selected(), await selected(), await selected()];
      const id = await policy({ inTotal: 2n * PRICE });
      const outcomes = await Promise.all(tasks.map((task) => codeOf(pay(id, task)).catch(() => 'prepared')));
      expect(outcomes.filter((code) => code === 'spend_limit_exceeded')).toHaveLength(2);
      expect(await spentOf(id)).toMatchObject({ inTotal: 2n * PRICE });
    }
  });

  it('counts a payment once, however often and at once it is prepared', async () => {
    const task = await selected();
    const id = await policy({ perDay: PRICE, inTotal: PRICE });
    await pay(id, task);
    await Promise.all([pay(id, task), pay(id, task), pay(id, task)]);
    expect(await spentOf(id)).toEqual({ today: PRICE, inTotal: PRICE });
  });

  it('says the same of several at once as of each', async () => {
    const ids = [
      await policy({ inTotal: 9n * PRICE }),
      await policy({ perDay: PRICE }),
      await policy({ perPayment: 1n }),
    ];
    await pay(ids[0]!, await selected());
    await decline(await pay(ids[0]!, await selected()));
    await pay(ids[1]!, await selected());
    const ledger = fixture.app.get(SpendLedger);
    const standings = await ledger.standings(await fixture.app.get(SpendPolicies).findAll(ids));
    expect(ids.map((id) => standings.get(id)?.spent.inTotal)).toEqual([PRICE, PRICE, 0n]);
    expect(ids.map((id) => standings.get(id)?.spent)).toEqual(await Promise.all(ids.map(spentOf)));
  });

  it('is used up by its own credential alone', async () => {
    const [mine, other] = [await policy({ inTotal: PRICE }), await policy({ inTotal: PRICE })];
    const task = await selected();
    await pay(mine, task);
    expect(await spentOf(other)).toMatchObject({ inTotal: 0n });
    await pay(other, await selected());
    expect(await codeOf(pay(mine, await selected()))).toBe('spend_limit_exceeded');
  });

  it('gets back what was declined, and keeps it when it is paid all the same', async () => {
    const [task, next] = [await selected(), await selected()];
    const id = await policy({ inTotal: PRICE });
    const action = await pay(id, task, 'allowance');
    await decline(action);
    expect(await spentOf(id)).toMatchObject({ inTotal: 0n });
    await pay(id, next);
    expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
    await fixture.sendDirect(action);
    await pass(1_000);
    expect(await spentOf(id)).toMatchObject({ inTotal: 2n * PRICE });
  });

  it('keeps what is declined as long as another action can still make the payment', async () => {
    const [task, next] = [await selected(), await selected()];
    const id = await policy({ inTotal: PRICE });
    const [first] = [await pay(id, task), await pay(id, task)];
    await decline(first);
    expect(await codeOf(pay(id, next))).toBe('spend_limit_exceeded');
  });
});

describe('who may be paid', () => {
  it('is a wallet that is named, whichever of its agents is chosen', async () => {
    const other = await fixture.person('other');
    const id = await policy({ counterparties: [worker.address] });
    await pay(id, await selected());
    // Each selected() publishes another agent of the same account and wallet.
    await pay(id, await selected());
    const elsewhere = await fixture.selected(buyer, other);
    const before = await counts();
    expect(await codeOf(pay(id, elsewhere))).toBe('counterparty_not_allowed');
    expect(await counts()).toEqual(before);
  });

  it('holds for hiring too, and an own pool that is divided takes nothing of the amounts', async () => {
    const subworker = await fixture.person('subworker');
    const stand = await fixture.funded(buyer, worker);
    const price = PRICE / 4n;
    const inside = await fixture.quote(stand.task, worker, subworker, { nodePath: childPath(1n, 2), price });
    const outside = { nodePath: childPath(1n, 3), price, hirerFunded: true };
    const own = await fixture.quote(stand.task, worker, subworker, outside);
    const hire = (policyId: string, quoteId: string) =>
      prepareUnder(policyId, 'subcontract', worker, {
        taskId: stand.task.id,
        nodeId: stand.nodeId,
        quoteId,
        acceptWindowSeconds: 259_200,
      });
    const strict = await policy({ counterparties: [buyer.address] }, worker);
    expect(await codeOf(hire(strict, inside.id))).toBe('counterparty_not_allowed');
    const id = await policy({ perDay: price }, worker);
    await hire(id, inside.id);
    expect(await spentOf(id)).toMatchObject({ today: 0n });
    await hire(id, own.id);
    expect(await spentOf(id)).toMatchObject({ today: price });
    expect(await codeOf(hire(await policy({ perPayment: price - 1n }, worker), own.id))).toBe('spend_limit_exceeded');
  });
});

it('keeps what was paid: while it is fresh, once it is final, and when its rows are swept', async () => {
  const task = await selected();
  const id = await policy({ perDay: 10n * PRICE, inTotal: PRICE });
  const action = await pay(id, task);
  const { transaction } = await fixture.submit(buyer, action);
  await fixture.chain.send(transaction!.to, transaction!.data);
  await pass(1_000);
  expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
  await pass(20 * 60_000);
  const sweeper = fixture.app.get(SpendReservationsSweeper);
  await sweeper.sweep();
  expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
  const rows = () => fixture.dataSource.query('SELECT 1 FROM spend_reservations WHERE policy_id = $1', [id]);
  expect(await rows()).toHaveLength(1);
  await fixture.chain.anvil.rpc('anvil_mine', `0x${FINAL_BLOCKS.toString(16)}`, '0x1');
  await pass(40 * 60_000);
  await fixture.app.get(ActionFollower).follow();
  await sweeper.sweep();
  expect(await rows()).toHaveLength(0);
  expect(await spentOf(id)).toEqual({ today: PRICE, inTotal: PRICE });
  expect(await codeOf(pay(id, await selected(1n)))).toBe('spend_limit_exceeded');
});

it('a payment whose transaction has failed counts on, as what is signed can be sent again', async () => {
  const id = await policy({ inTotal: PRICE });
  const { action_id: actionId } = await pay(id, await selected());
  await fixture.dataSource.manager.update(PreparedActionEntity, { id: actionId }, { toldStatus: 'failed' });
  expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
  expect(await codeOf(pay(id, await selected()))).toBe('spend_limit_exceeded');
});

describe('time', () => {
  it('gives back what nobody has signed, in the second after its last, and not before the chain is there', async () => {
    const id = await policy({ inTotal: PRICE });
    const { action_id: actionId } = await pay(id, await selected());
    const { validUntil } = await fixture.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: actionId });
    const last = fixture.app.clock.aheadMs + validUntil.getTime() - fixture.app.clock.nowMs();
    const next = await selected();
    fixture.app.clock.aheadMs = last + 5_000;
    expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
    fixture.app.clock.aheadMs = last - 5_000;
    await pass(0);
    expect(await codeOf(pay(id, next))).toBe('spend_limit_exceeded');
    await pass(10_000);
    expect(await spentOf(id)).toMatchObject({ inTotal: 0n });
    await pay(id, next);
    expect(await fixture.app.get(SpendReservationsSweeper).sweep()).toBeGreaterThan(0);
    expect(await spentOf(id)).toMatchObject({ inTotal: PRICE });
  });

  it('refills the day at midnight in UTC, and the total never', async () => {
    const id = await policy({ perDay: PRICE, inTotal: 2n * PRICE });
    const tasks = [await selected(), await selected(), await selected()] as const;
    const { clock } = fixture.app;
    const midnight = (Math.floor(clock.nowMs() / DAY_MS) + 1) * DAY_MS;
    // What was prepared in the last minute before midnight can still be paid after it.
    clock.aheadMs = midnight - Date.now() - 60_000;
    await pay(id, tasks[0]);
    expect(await codeOf(pay(id, tasks[1]))).toBe('spend_limit_exceeded');
    clock.aheadMs += 61_000;
    expect(await spentOf(id)).toEqual({ today: 0n, inTotal: PRICE });
    await pay(id, tasks[1]);
    expect(await failureOf(pay(id, tasks[2]))).toMatchObject({ details: [{ limit: 'total' }] });
    // Prepared again on the next day, the first one counts there, and still once.
    const again = await policy({ inTotal: 10n * PRICE });
    clock.aheadMs -= 61_000;
    await pay(again, tasks[2]);
    clock.aheadMs += 61_000;
    await pay(again, tasks[2]);
    expect(await spentOf(again)).toEqual({ today: PRICE, inTotal: PRICE });
  });
});

it('is deleted with the last key that stands under it', async () => {
  const id = await policy({ perDay: 1n });
  const sweeper = fixture.app.get(SpendPoliciesSweeper);
  const kept = () => fixture.app.dataSource.query('SELECT FROM spend_policies WHERE id = $1', [id]);
  // A consent of this moment may be about to use it.
  await sweeper.sweep();
  expect(await kept()).toHaveLength(1);
  await fixture.app.dataSource.query(
    `UPDATE spend_policies SET created_at = created_at - interval '61 s' WHERE id = $1`,
    [id],
  );
  await sweeper.sweep();
  expect(await kept()).toEqual([]);
  expect(await fixture.app.get(SpendPolicyReader).find(id)).toBeNull();
});
