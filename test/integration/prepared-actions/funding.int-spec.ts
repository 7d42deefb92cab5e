import { TypedDataEncoder } from 'ethers';
import { actionIdHash, NodeState } from '../../../libs/contracts/src/index.js';
import { nodeIdOf, requestDigest } from '../../../libs/kernel/src/index.js';
import { ActionFollower } from '../../../src/modules/prepared-actions/following/action-follower.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import type { Trader } from '../../support/action-fixture.js';
import { eventually } from '../../support/eventually.js';
import { codeOf } from '../../support/failure.js';
import { FundingFixture, PRICE, type SelectedTask } from './funding-fixture.js';

const PLENTY = 1_000_000_000n;
/** The structs of docs/decisions/escrow.md#signed-actions, typed here a second time on purpose. */
const members = (list: string) =>
  list.split(',').map((member) => ({ type: member.split(' ')[0]!, name: member.split(' ')[1]! }));
const FUND_TASK = {
  FundTask: members(
    'NodeTerms terms,address token,uint8 fundingMode,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil',
  ),
  NodeTerms: members(
    'uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,' +
      'uint8 maxRevisions,bool hirerFunded,bytes32 termsHash',
  ),
};

let fixture: FundingFixture;
let worker: Trader;

beforeAll(async () => {
  fixture = await FundingFixture.start();
  worker = await fixture.person('worker');
});

afterAll(() => fixture?.stop());

async function selectedBy(buyer: Trader): Promise<SelectedTask> {
  return fixture.selected(buyer, worker);
}

async function isFunded({ task }: SelectedTask): Promise<boolean> {
  return (await fixture.node(task, 1n))?.state === NodeState.Funded;
}

describe('funding by one signature over the token', () => {
  it('is one transaction of anybody that deploys and pays', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: selected.task.id });
    expect(action).toMatchObject({ kind: 'fund_task', wallet_address: buyer.address, task_id: selected.task.id });
    expect(action.node_id).toBe(nodeIdOf(selected.task.id, 1n));
    expect(action.payload).toMatchObject({ primaryType: 'ReceiveWithAuthorization', message: { validAfter: '0' } });
    expect(Object.keys(action.payload)).not.toContain('transaction');
    const { transaction, status } = await fixture.submit(buyer, action);
    expect([status, transaction?.from]).toEqual(['signed', undefined]);
    expect((await fixture.task(selected.task.id)).status).toBe('funding_pending');
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
    expect(await fixture.chain.balanceOf(selected.task.escrowAddress)).toBe(PRICE);
    expect(await fixture.chain.balanceOf(buyer.address)).toBe(PLENTY - PRICE);
  });

  it('has as its nonce the digest of the FundTask that a client can recompute', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task, quote } = await selectedBy(buyer);
    const body = { funding_mode: 'authorization' };
    const action = await fixture.prepare(
      'fund_task',
      buyer,
      { taskId: task.id, fundingMode: 'authorization' },
      requestDigest(body),
    );
    const { message, domain } = action.payload as { message: Record<string, string>; domain: object };
    const fundTask = {
      terms: {
        nodeId: 1,
        worker: worker.address,
        amount: PRICE,
        floor: quote.floor,
        workSeconds: quote.workSeconds,
        acceptWindow: quote.acceptWindowSeconds,
        maxRevisions: quote.maxRevisions,
        hirerFunded: true,
        termsHash: task.termsHash,
      },
      token: fixture.chain.usdc,
      fundingMode: 1,
      actionId: actionIdHash(action.action_id),
      requestDigest: requestDigest(body),
      nonce: BigInt(action.nonce),
      validUntil: BigInt(message['validBefore']!) - 1n,
    };
    const escrowDomain = { name: 'Tasktree', version: '2', chainId: 31337, verifyingContract: task.escrowAddress };
    expect(message['nonce']).toBe(TypedDataEncoder.hash(escrowDomain, FUND_TASK, fundTask));
    expect(domain).toEqual({ name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: fixture.chain.usdc });
    expect(message).toMatchObject({ from: buyer.address, to: task.escrowAddress, value: PRICE.toString() });
  });

  it('is accepted from a contract wallet that asks for it', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, {
      taskId: selected.task.id,
      fundingMode: 'authorization',
    });
    const { transaction } = await fixture.submit(buyer, action);
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is refused with the signature of anybody else', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: task.id });
    expect(await codeOf(fixture.submit(buyer, action, worker))).toBe('wallet_mismatch');
    expect((await fixture.task(task.id)).status).toBe('selected');
  });

  it('pays in an escrow that was deployed before, without the factory', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    await fixture.deploy(selected.task);
    const { transaction } = await fixture.submit(
      buyer,
      await fixture.prepare('fund_task', buyer, { taskId: selected.task.id }),
    );
    expect(transaction?.to).toBe(selected.task.escrowAddress);
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });

  it('deploys nothing where the payment fails', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const input = { taskId: selected.task.id, fundingMode: 'allowance' as const };
    const { transaction } = await fixture.submit(buyer, await fixture.prepare('fund_task', buyer, input));
    await expect(fixture.chain.send(transaction!.to, transaction!.data)).rejects.toThrow('refused');
    expect(await fixture.node(selected.task, 1n)).toBeNull();
    expect((await fixture.submit(buyer, await fixture.prepare('fund_task', buyer, input))).transaction?.to).toBe(
      fixture.chain.factory,
    );
  });
});

describe('funding by allowance', () => {
  it('is what a wallet with code gets, as calls that it sends by itself', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: selected.task.id });
    expect(action.payload['primaryType']).toBe('FundTask');
    const { calls } = action.payload as { calls: { to: string }[] };
    const { usdc, factory } = fixture.chain;
    expect(calls.map(({ to }) => to)).toEqual([usdc, factory, selected.task.escrowAddress]);
    await fixture.sendDirect(action);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is relayed with a signature once the allowance is there, and asks for none then', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const input = { taskId: selected.task.id, fundingMode: 'allowance' as const };
    const [approve] = (
      (await fixture.prepare('fund_task', buyer, input)).payload as { calls: { to: string; data: string }[] }
    ).calls;
    await fixture.chain.sendAs(buyer.address, approve!);
    const action = await fixture.prepare('fund_task', buyer, input);
    expect((action.payload as { calls: unknown[] }).calls).toHaveLength(2);
    const { transaction } = await fixture.submit(buyer, action);
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is relayed with the signature of a contract wallet', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: selected.task.id });
    const [approve] = (action.payload as { calls: { to: string; data: string }[] }).calls;
    await fixture.chain.sendAs(buyer.address, approve!);
    const { transaction } = await fixture.submit(buyer, action);
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });
});

describe('funding by permit', () => {
  it('waits until the escrow is deployed, and is then a call of the wallet itself', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const input = { taskId: selected.task.id, fundingMode: 'permit' as const };
    const early = await fixture.prepare('fund_task', buyer, input).catch((error: unknown) => error);
    expect(early).toMatchObject({ code: 'state_conflict', suggestion: expect.stringContaining('funding_mode') });
    await fixture.deploy(selected.task);
    const action = await fixture.prepare('fund_task', buyer, input);
    expect(action.payload).toMatchObject({ primaryType: 'Permit', message: { nonce: '0', value: PRICE.toString() } });
    const { transaction } = await fixture.submit(buyer, action);
    expect(transaction?.from).toBe(buyer.address);
    await expect(fixture.chain.send(transaction!.to, transaction!.data)).rejects.toThrow('refused');
    await fixture.chain.sendAs(buyer.address, transaction!);
    expect(await isFunded(selected)).toBe(true);
  });
});

describe('funding out of the refund balance', () => {
  async function refunded(): Promise<{ buyer: Trader; task: SelectedTask['task'] }> {
    const buyer = await fixture.person('buyer', PRICE);
    const selected = await selectedBy(buyer);
    const { transaction } = await fixture.submit(
      buyer,
      await fixture.prepare('fund_task', buyer, { taskId: selected.task.id }),
    );
    await fixture.chain.send(transaction!.to, transaction!.data);
    const terms = { nodeId: 1n, worker: worker.address, amount: PRICE } as any;
    const tree = { taskId: selected.task.id, escrow: selected.task.escrowAddress as any, buyer: buyer.key };
    await fixture.chain.abandon(tree, terms, worker.key);
    const task = await fixture.task(selected.task.id);
    Object.assign(task, { chainStatus: 'refunded', fundedRoots: ['1'], nodeSequence: 2 });
    const quote = await fixture.quote(task, buyer, worker, { nodePath: 2n, price: PRICE });
    await fixture.signSelection(task, buyer, quote);
    return { buyer, task };
  }

  it('hires again without a new payment, in one direct transaction', async () => {
    const { buyer, task } = await refunded();
    expect(await fixture.refundOf(task, buyer)).toBe(PRICE);
    const action = await fixture.prepare('fund_task', buyer, { taskId: task.id });
    expect(action.payload).toMatchObject({
      primaryType: 'FundTask',
      message: { terms: { nodeId: '2' }, fundingMode: '3' },
    });
    expect(Object.keys(action.payload)).toContain('transaction');
    await fixture.sendDirect(action);
    expect((await fixture.node(task, 2n))?.state).toBe(NodeState.Funded);
    expect(await fixture.refundOf(task, buyer)).toBe(0n);
    expect(await fixture.chain.balanceOf(buyer.address)).toBe(0n);
  });

  it('is relayed with a signature', async () => {
    const { buyer, task } = await refunded();
    const { transaction } = await fixture.submit(buyer, await fixture.prepare('fund_task', buyer, { taskId: task.id }));
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect((await fixture.node(task, 2n))?.state).toBe(NodeState.Funded);
  });

  it('is refused with what is missing where it is too small', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const refusal = await fixture
      .prepare('fund_task', buyer, { taskId: task.id, fundingMode: 'refund_balance' })
      .catch((e: unknown) => e);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('100.00 USDC too small') });
  });
});

describe('a payment for an offer that is no longer selected', () => {
  it('that the wallet has sent by itself does not mark the one that is selected now', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const old = await fixture.prepare('fund_task', buyer, { taskId: task.id });
    task.nodeSequence = 2;
    const chosen = await fixture.quote(task, buyer, await fixture.person('other'), { nodePath: 2n });
    await fixture.signSelection(task, buyer, chosen);
    const hash = await fixture.sendDirect(old);
    expect((await fixture.submitHash(buyer, old, hash)).status).toBe('submitted');
    expect(await fixture.task(task.id)).toMatchObject({
      status: 'selected',
      selectionNodePath: 2n,
      fundingNodePath: null,
    });
  });

  it('marks its own node while that is the selected one', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: task.id });
    await fixture.submitHash(buyer, action, await fixture.sendDirect(action));
    expect(await fixture.task(task.id)).toMatchObject({ status: 'funding_pending', fundingNodePath: 1n });
  });
});

describe('a payment whose transaction the chain comes to know only after its hash was handed in', () => {
  it('marks its task as soon as it does, and once', async () => {
    const buyer = await fixture.contractPerson('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const action = await fixture.prepare('fund_task', buyer, { taskId: task.id });
    expect((await fixture.submitHash(buyer, action, `0x${'5e'.repeat(32)}`)).status).toBe('unknown');
    expect((await fixture.task(task.id)).status).toBe('selected');
    // As if the hash of this transaction had been handed in before the chain knew it.
    const late = 'UPDATE prepared_actions SET transaction_hash = $2 WHERE id = $1';
    await fixture.dataSource.query(late, [action.action_id, await fixture.sendDirect(action)]);
    const follower = fixture.app.get(ActionFollower);
    await eventually(async () => {
      await follower.follow();
      return (await fixture.task(task.id)).status === 'funding_pending';
    });
    const marked = await fixture.task(task.id);
    await follower.follow();
    expect(await fixture.task(task.id)).toEqual(marked);
  });
});

describe('what is refused', () => {
  it('hides a task that the caller does not see, and names the role of whoever does', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    await fixture.dataSource.query(`UPDATE tasks SET tier = 'private_curated' WHERE id = $1`, [task.id]);
    expect(await codeOf(fixture.prepare('fund_task', worker, { taskId: task.id }))).toBe('not_found');
    await fixture.rows.party(worker.accountId, task.id, 'quoted');
    expect(await codeOf(fixture.prepare('fund_task', worker, { taskId: task.id }))).toBe('not_task_buyer');
  });

  it('refuses a task without a selection', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const task = await fixture.rows.task(buyer.accountId, { buyerWallet: buyer.address, status: 'open' });
    expect(await codeOf(fixture.prepare('fund_task', buyer, { taskId: task.id }))).toBe('state_conflict');
  });

  it('refuses a quote that is over, be it by the row or by time', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    fixture.app.clock.aheadMs = 2 * 86_400_000 - 30_000;
    const almost = await codeOf(fixture.prepare('fund_task', buyer, { taskId: task.id }));
    fixture.app.clock.aheadMs = 2 * 86_400_000 + 2_000;
    const over = await codeOf(fixture.prepare('fund_task', buyer, { taskId: task.id }));
    fixture.app.clock.aheadMs = 0;
    expect([almost, over]).toEqual(['quote_expired', 'quote_expired']);
  });

  it('refuses a second agent while the chain has a payment for the first that the index does not know', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const { transaction } = await fixture.submit(buyer, await fixture.prepare('fund_task', buyer, { taskId: task.id }));
    await fixture.chain.send(transaction!.to, transaction!.data);
    const lapsed = await fixture.task(task.id);
    Object.assign(lapsed, { fundingUntil: new Date(Date.now() - 1_000), nodeSequence: 2 });
    const second = await fixture.quote(lapsed, buyer, await fixture.person('second'), { nodePath: 2n });
    await fixture.signSelection(lapsed, buyer, second);
    expect((await fixture.task(task.id)).status).toBe('selected');
    const refusal = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('paid already') });
  });

  it('refuses an offer whose agent is suspended: when it is prepared, when it is signed, and when it is shown again', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task, quote } = await selectedBy(buyer);
    const moderated = (status: string) =>
      fixture.dataSource.query('UPDATE agents SET status = $2 WHERE id = $1', [quote.agentId, status]);
    const [unsigned, signed] = [
      await fixture.prepare('fund_task', buyer, { taskId: task.id }),
      await fixture.prepare('fund_task', buyer, { taskId: task.id }),
    ];
    await fixture.submit(buyer, signed);
    const shown = () => {
      const principal = { accountId: buyer.accountId, scopes: ['buyer' as const] };
      return fixture.app.get(ActionsService).get(principal, signed.action_id);
    };
    await moderated('suspended');
    const refusal = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    const late = await codeOf(fixture.submit(buyer, unsigned));
    const { transaction: withheld } = await shown();
    await moderated('inactive');
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('suspended') });
    expect([late, withheld]).toEqual(['state_conflict', undefined]);
    expect((await shown()).transaction).toBeDefined();
    expect((await fixture.submit(buyer, unsigned)).transaction).toBeDefined();
  });

  it('refuses a quote that its worker has cancelled on the chain', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task, quote } = await selectedBy(buyer);
    await fixture.deploy(task);
    expect(await codeOf(fixture.prepare('fund_task', buyer, { taskId: task.id }))).toBe('none');
    const tree = { taskId: task.id, escrow: task.escrowAddress as any, buyer: buyer.key };
    await fixture.chain.cancelNonce(tree, worker.key, quote.nonce);
    const refusal = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('withdrawn') });
  });

  it('says how much USDC is missing, and takes the exact amount', async () => {
    const buyer = await fixture.person('buyer', PRICE - 1n);
    const { task } = await selectedBy(buyer);
    const refusal = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining(' 0.000001 USDC are missing'),
    });
    await fixture.chain.callUsdc('mint', [buyer.address, 1n]);
    expect(await codeOf(fixture.prepare('fund_task', buyer, { taskId: task.id }))).toBe('none');
  });

  it('says that the token is paused or the wallet is blocked', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    await fixture.chain.callUsdc('pause', []);
    const paused = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    await fixture.chain.callUsdc('unpause', []);
    await fixture.chain.callUsdc('blacklist', [buyer.address]);
    const blocked = await fixture.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(paused).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('paused') });
    expect(blocked).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('deny list') });
  });

  it('lets the first of two payments win, and gives the second a refusal that is true', async () => {
    const buyer = await fixture.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const [one, other] = await Promise.all([
      fixture.prepare('fund_task', buyer, { taskId: selected.task.id }),
      fixture.prepare('fund_task', buyer, { taskId: selected.task.id }),
    ]);
    expect([one.nonce, other.nonce]).toEqual(['256', '256']);
    const [first, second] = [await fixture.submit(buyer, one), await fixture.submit(buyer, other)];
    await fixture.chain.send(first.transaction!.to, first.transaction!.data);
    await expect(fixture.chain.send(second.transaction!.to, second.transaction!.data)).rejects.toThrow('refused');
    expect(await codeOf(fixture.prepare('fund_task', buyer, { taskId: selected.task.id }))).toBe('state_conflict');
    expect(await fixture.chain.balanceOf(buyer.address)).toBe(PLENTY - PRICE);
  });
});
