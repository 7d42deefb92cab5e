import { TypedDataEncoder } from 'ethers';
import { actionIdHash, NodeState } from '../../../libs/contracts/src/index.js';
import { nodeIdOf, requestDigest } from '../../../libs/kernel/src/index.js';
import type { Trader } from '../../support/action-stage.js';
import { codeOf } from '../../support/failure.js';
import { FundingStage, PRICE, type SelectedTask } from '../../support/funding-stage.js';

const PLENTY = 1_000_000_000n;
const FUND_TASK = 'uint32 nodeId,address worker,address token,uint256 amount'
  .concat(',bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil')
  .split(',')
  .map((member) => ({ type: member.split(' ')[0]!, name: member.split(' ')[1]! }));

let stage: FundingStage;
let worker: Trader;

beforeAll(async () => {
  stage = await FundingStage.start();
  worker = await stage.person('worker');
});

afterAll(() => stage?.stop());

async function selectedBy(buyer: Trader): Promise<SelectedTask> {
  return stage.selected(buyer, worker);
}

async function isFunded({ task }: SelectedTask): Promise<boolean> {
  return (await stage.node(task, 1))?.state === NodeState.Funded;
}

describe('funding by one signature over the token', () => {
  it('is one transaction of anybody that deploys, records, selects and pays', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    await stage.signCreation(selected.task, buyer);
    const action = await stage.prepare('fund_task', buyer, { taskId: selected.task.id });
    expect(action).toMatchObject({ kind: 'fund_task', wallet_address: buyer.address, task_id: selected.task.id });
    expect(action.node_id).toBe(nodeIdOf(selected.task.id, 1));
    expect(action.payload).toMatchObject({ primaryType: 'ReceiveWithAuthorization', message: { validAfter: '0' } });
    expect(Object.keys(action.payload)).not.toContain('transaction');
    const { transaction, status } = await stage.submit(buyer, action);
    expect([status, transaction?.from]).toEqual(['signed', undefined]);
    expect((await stage.task(selected.task.id)).status).toBe('funding_pending');
    await stage.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
    expect(await stage.chain.balanceOf(selected.task.escrowAddress)).toBe(PRICE);
    expect(await stage.chain.balanceOf(buyer.address)).toBe(PLENTY - PRICE);
  });

  it('has as its nonce the digest of the FundTask that a client can recompute', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const body = { funding_mode: 'authorization' };
    const action = await stage.prepare(
      'fund_task',
      buyer,
      { taskId: task.id, fundingMode: 'authorization' },
      requestDigest(body),
    );
    const { message, domain } = action.payload as { message: Record<string, string>; domain: object };
    const fundTask = {
      nodeId: 1,
      worker: worker.address,
      token: stage.chain.usdc,
      amount: PRICE,
      actionId: actionIdHash(action.action_id),
      requestDigest: requestDigest(body),
      nonce: BigInt(action.nonce),
      validUntil: BigInt(message['validBefore']!),
    };
    const escrowDomain = { name: 'Tasktree', version: '1', chainId: 31337, verifyingContract: task.escrowAddress };
    expect(message['nonce']).toBe(TypedDataEncoder.hash(escrowDomain, { FundTask: FUND_TASK }, fundTask));
    expect(domain).toEqual({ name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: stage.chain.usdc });
    expect(message).toMatchObject({ from: buyer.address, to: task.escrowAddress, value: PRICE.toString() });
  });

  it('is accepted from a contract wallet that asks for it', async () => {
    const buyer = await stage.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await stage.prepare('fund_task', buyer, { taskId: selected.task.id, fundingMode: 'authorization' });
    const { transaction } = await stage.submit(buyer, action);
    await stage.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is refused with the signature of anybody else', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const action = await stage.prepare('fund_task', buyer, { taskId: task.id });
    expect(await codeOf(stage.submit(buyer, action, worker))).toBe('wallet_mismatch');
    expect((await stage.task(task.id)).status).toBe('selected');
  });

  it('pays a node that is already selected on the chain', async () => {
    const buyer = await stage.person('buyer', 2n * PLENTY);
    const selected = await selectedBy(buyer);
    const first = await stage.submit(
      buyer,
      await stage.prepare('fund_task', buyer, { taskId: selected.task.id, fundingMode: 'allowance' }),
    );
    // The whole transaction fails, because its payment has no allowance. Then somebody sends only the call that opens
    // the tree.
    await expect(stage.chain.send(first.transaction!.to, first.transaction!.data)).rejects.toThrow('refused');
    const direct = await stage.prepare('fund_task', buyer, { taskId: selected.task.id, fundingMode: 'allowance' });
    const [, opening] = (direct.payload as { calls: { to: string; data: string }[] }).calls;
    await stage.chain.send(opening!.to, opening!.data);
    expect((await stage.node(selected.task, 1))?.state).toBe(NodeState.Selected);
    const { transaction } = await stage.submit(
      buyer,
      await stage.prepare('fund_task', buyer, { taskId: selected.task.id }),
    );
    expect(transaction?.to).toBe(selected.task.escrowAddress);
    await stage.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });
});

describe('funding by allowance', () => {
  it('is what a wallet with code gets, as calls that it sends by itself', async () => {
    const buyer = await stage.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await stage.prepare('fund_task', buyer, { taskId: selected.task.id });
    expect(action.payload['primaryType']).toBe('FundTask');
    const { calls } = action.payload as { calls: { to: string }[] };
    const { usdc, factory } = stage.chain;
    expect(calls.map(({ to }) => to)).toEqual([usdc, factory, selected.task.escrowAddress]);
    await stage.sendDirect(action);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is relayed with a signature once the allowance is there, and asks for none then', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const input = { taskId: selected.task.id, fundingMode: 'allowance' as const };
    const [approve] = (
      (await stage.prepare('fund_task', buyer, input)).payload as { calls: { to: string; data: string }[] }
    ).calls;
    await stage.chain.sendAs(buyer.address, approve!);
    const action = await stage.prepare('fund_task', buyer, input);
    expect((action.payload as { calls: unknown[] }).calls).toHaveLength(2);
    const { transaction } = await stage.submit(buyer, action);
    await stage.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });

  it('is relayed with the signature of a contract wallet', async () => {
    const buyer = await stage.contractPerson('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const action = await stage.prepare('fund_task', buyer, { taskId: selected.task.id });
    const [approve] = (action.payload as { calls: { to: string; data: string }[] }).calls;
    await stage.chain.sendAs(buyer.address, approve!);
    const { transaction } = await stage.submit(buyer, action);
    await stage.chain.send(transaction!.to, transaction!.data);
    expect(await isFunded(selected)).toBe(true);
  });
});

describe('funding by permit', () => {
  it('waits until the escrow is deployed, and is then a call of the wallet itself with the opening in it', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const input = { taskId: selected.task.id, fundingMode: 'permit' as const };
    const early = await stage.prepare('fund_task', buyer, input).catch((error: unknown) => error);
    expect(early).toMatchObject({ code: 'state_conflict', suggestion: expect.stringContaining('funding_mode') });
    await stage.deploy(selected.task);
    const action = await stage.prepare('fund_task', buyer, input);
    expect(action.payload).toMatchObject({ primaryType: 'Permit', message: { nonce: '0', value: PRICE.toString() } });
    const { transaction } = await stage.submit(buyer, action);
    expect(transaction?.from).toBe(buyer.address);
    await expect(stage.chain.send(transaction!.to, transaction!.data)).rejects.toThrow('refused');
    await stage.chain.sendAs(buyer.address, transaction!);
    expect(await isFunded(selected)).toBe(true);
  });
});

describe('funding out of the refund balance', () => {
  async function refunded(): Promise<{ buyer: Trader; task: SelectedTask['task'] }> {
    const buyer = await stage.person('buyer', PRICE);
    const selected = await selectedBy(buyer);
    const { transaction } = await stage.submit(
      buyer,
      await stage.prepare('fund_task', buyer, { taskId: selected.task.id }),
    );
    await stage.chain.send(transaction!.to, transaction!.data);
    const terms = { nodeId: 1, worker: worker.address, amount: PRICE } as any;
    const tree = { taskId: selected.task.id, escrow: selected.task.escrowAddress as any, buyer: buyer.key };
    await stage.chain.abandon(tree, terms, worker.key);
    const task = await stage.task(selected.task.id);
    Object.assign(task, { chainStatus: 'refunded', openedRoots: [1], fundedRoots: [1], nodeSequence: 2 });
    const quote = await stage.quote(task, buyer, worker, { nodeNumber: 2, price: PRICE });
    await stage.signSelection(task, buyer, quote);
    return { buyer, task };
  }

  it('hires again without a new payment, in one direct transaction', async () => {
    const { buyer, task } = await refunded();
    expect(await stage.refundOf(task, buyer)).toBe(PRICE);
    const action = await stage.prepare('fund_task', buyer, { taskId: task.id });
    expect(action.payload).toMatchObject({ primaryType: 'FundTask', message: { nodeId: '2' } });
    expect(Object.keys(action.payload)).toContain('transaction');
    await stage.sendDirect(action);
    expect((await stage.node(task, 2))?.state).toBe(NodeState.Funded);
    expect(await stage.refundOf(task, buyer)).toBe(0n);
    expect(await stage.chain.balanceOf(buyer.address)).toBe(0n);
  });

  it('is relayed with a signature', async () => {
    const { buyer, task } = await refunded();
    const { transaction } = await stage.submit(buyer, await stage.prepare('fund_task', buyer, { taskId: task.id }));
    await stage.chain.send(transaction!.to, transaction!.data);
    expect((await stage.node(task, 2))?.state).toBe(NodeState.Funded);
  });

  it('is refused with what is missing where it is too small', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    const refusal = await stage
      .prepare('fund_task', buyer, { taskId: task.id, fundingMode: 'refund_balance' })
      .catch((e: unknown) => e);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('100.00 USDC too small') });
  });
});

describe('what is refused', () => {
  it('hides a task that the caller does not see, and names the role of whoever does', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    await stage.dataSource.query(`UPDATE tasks SET tier = 'private_curated' WHERE id = $1`, [task.id]);
    expect(await codeOf(stage.prepare('fund_task', worker, { taskId: task.id }))).toBe('not_found');
    await stage.rows.party(worker.accountId, task.id, 'quoted');
    expect(await codeOf(stage.prepare('fund_task', worker, { taskId: task.id }))).toBe('not_task_buyer');
  });

  it('refuses a task without a selection', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const task = await stage.rows.task(buyer.accountId, { buyerWallet: buyer.address, status: 'open' });
    expect(await codeOf(stage.prepare('fund_task', buyer, { taskId: task.id }))).toBe('state_conflict');
  });

  it('refuses a quote that is over, be it by the row or by time', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    stage.app.clock.aheadMs = 2 * 86_400_000 - 30_000;
    const almost = await codeOf(stage.prepare('fund_task', buyer, { taskId: task.id }));
    stage.app.clock.aheadMs = 2 * 86_400_000 + 2_000;
    const over = await codeOf(stage.prepare('fund_task', buyer, { taskId: task.id }));
    stage.app.clock.aheadMs = 0;
    expect([almost, over]).toEqual(['quote_expired', 'quote_expired']);
  });

  it('refuses a quote that its worker has cancelled on the chain', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task, quote } = await selectedBy(buyer);
    await stage.deploy(task);
    expect(await codeOf(stage.prepare('fund_task', buyer, { taskId: task.id }))).toBe('none');
    const tree = { taskId: task.id, escrow: task.escrowAddress as any, buyer: buyer.key };
    await stage.chain.cancelNonce(tree, worker.key, quote.nonce);
    const refusal = await stage.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('withdrawn') });
  });

  it('says how much USDC is missing, and takes the exact amount', async () => {
    const buyer = await stage.person('buyer', PRICE - 1n);
    const { task } = await selectedBy(buyer);
    const refusal = await stage.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining(' 0.000001 USDC are missing'),
    });
    await stage.chain.callUsdc('mint', [buyer.address, 1n]);
    expect(await codeOf(stage.prepare('fund_task', buyer, { taskId: task.id }))).toBe('none');
  });

  it('says that the token is paused or the wallet is blocked', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const { task } = await selectedBy(buyer);
    await stage.chain.callUsdc('pause', []);
    const paused = await stage.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    await stage.chain.callUsdc('unpause', []);
    await stage.chain.callUsdc('blacklist', [buyer.address]);
    const blocked = await stage.prepare('fund_task', buyer, { taskId: task.id }).catch((error: unknown) => error);
    expect(paused).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('paused') });
    expect(blocked).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('deny list') });
  });

  it('lets the first of two payments win, and gives the second a refusal that is true', async () => {
    const buyer = await stage.person('buyer', PLENTY);
    const selected = await selectedBy(buyer);
    const [one, other] = await Promise.all([
      stage.prepare('fund_task', buyer, { taskId: selected.task.id }),
      stage.prepare('fund_task', buyer, { taskId: selected.task.id }),
    ]);
    expect(one.nonce).not.toBe(other.nonce);
    const [first, second] = [await stage.submit(buyer, one), await stage.submit(buyer, other)];
    await stage.chain.send(first.transaction!.to, first.transaction!.data);
    await expect(stage.chain.send(second.transaction!.to, second.transaction!.data)).rejects.toThrow('refused');
    expect(await codeOf(stage.prepare('fund_task', buyer, { taskId: selected.task.id }))).toBe('state_conflict');
    expect(await stage.chain.balanceOf(buyer.address)).toBe(PLENTY - PRICE);
  });
});
