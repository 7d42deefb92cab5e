import { Contract, ZeroAddress } from 'ethers';
import {
  encodeAbandonNode,
  encodeClaimNonDelivery,
  encodeDeliver,
  encodeDisputeNode,
  encodeFinalize,
  encodeRejectTask,
  encodeResolveTask,
  encodeSubcontract,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  escrowTypedData,
  FundingMode,
  localUsdcAbi,
  senderAuth,
} from '../../../libs/contracts/src/index.js';
import { childPath, type Hex, nodeIdOf } from '../../../libs/kernel/src/index.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { SubmissionsService } from '../../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import { type KindInputs } from '../../../src/modules/prepared-actions/registry/kind-registry.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ANVIL_CHAIN_ID } from '../../support/spec-chain.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { WorkMarket, type WorkParty, type WorkTree } from './work-market.js';
import { earnedOf } from '../../support/earned.js';

const DAY = 86_400;
const ARTIFACT: Hex = `0x${'ab'.repeat(32)}`;
const ZERO32: Hex = `0x${'00'.repeat(32)}`;
/** A child of node 1. */
const CHILD = childPath(1n, 2);

let market: WorkMarket;
let arbiter: Hex;

beforeAll(async () => {
  market = await WorkMarket.begin();
  arbiter = (await market.person('arbiter')).address;
});
afterAll(() => market?.stop());

const earnings = (who: WorkParty, own: Partial<KindInputs['withdraw_earnings']> = {}) =>
  market.prepare('withdraw_earnings', who, { destination: who.address, ...own });
const refund = (who: WorkParty, { taskId }: WorkTree, destination = who.address, wallet?: Hex) =>
  market.prepare('withdraw_refund', who, { taskId, destination, ...(wallet && { wallet }) });
const refusalOf = (promise: Promise<unknown>): Promise<{ code: string; reason?: string; suggestion?: string }> =>
  promise.then(
    () => ({ code: 'none' }),
    (error: { code: string }) => error,
  );
const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;
const balanceOf = (address: string) => market.chain.balanceOf(address);
const amountIn = ({ payload }: PreparedActionDto) => (payload['message'] as { amount: string }).amount;

/** An address that was never used. */
const somewhere = () => market.chain.wallet().address as Hex;

async function delivered(own: Parameters<WorkMarket['tree']>[0] = {}): Promise<WorkTree> {
  const tree = await market.tree(own);
  await market.send(tree.worker, tree.escrow, encodeDeliver(1n, ARTIFACT, false, await market.ownAuth(tree, 1n)));
  await market.index();
  return tree;
}

async function released(own: Parameters<WorkMarket['tree']>[0] = {}): Promise<WorkTree> {
  const tree = await delivered(own);
  await market.send(tree.buyer, tree.escrow, encodeResolveTask(1n, ARTIFACT, await market.ownAuth(tree, 1n)));
  await market.index();
  return tree;
}

async function rejected(own: Parameters<WorkMarket['tree']>[0] = {}): Promise<WorkTree> {
  const tree = await delivered(own);
  await market.send(tree.buyer, tree.escrow, encodeRejectTask(1n, ARTIFACT, ZERO32, await market.ownAuth(tree, 1n)));
  await market.index();
  return tree;
}

async function abandoned(own: Parameters<WorkMarket['tree']>[0] = {}): Promise<WorkTree> {
  const tree = await market.tree(own);
  await market.send(tree.worker, tree.escrow, encodeAbandonNode(1n, await market.ownAuth(tree, 1n)));
  await market.index();
  return tree;
}

/** Hires, for 30 USDC, a child of node 1 that the worker of node 1 pays from its own wallet. */
async function hireWithOwnMoney(tree: WorkTree, worker: WorkParty): Promise<void> {
  const { escrow, arbiter: ruler, worker: hirer } = tree;
  const { usdc } = market.chain;
  const terms = {
    nodeId: CHILD,
    worker: worker.address,
    amount: 30_000_000n,
    floor: 15_000_000n,
    workSeconds: 5 * DAY,
    acceptWindow: 3 * DAY,
    maxRevisions: 3,
    hirerFunded: true,
    termsHash: `0x${'cd'.repeat(32)}`,
  };
  const { signature: _none, ...fields } = await market.ownAuth(tree, CHILD);
  const offer = { terms, hirer: hirer.address, arbiter: ruler, token: usdc, ...fields };
  const data = escrowTypedData('SubmitQuote', { chainId: ANVIL_CHAIN_ID, escrowAddress: escrow }, offer);
  const quote = { ...fields, signature: await signTypedData(worker.key, data) };
  const approval = new Contract(ZeroAddress, localUsdcAbi).interface.encodeFunctionData('approve', [
    escrow,
    terms.amount,
  ]);
  await market.chain.callUsdc('mint', [hirer.address, terms.amount]);
  await market.send(hirer, usdc, approval);
  const auth = await market.ownAuth(tree, CHILD);
  await market.send(hirer, escrow, encodeSubcontract(terms, { mode: FundingMode.Allowance }, auth, quote));
  await market.index();
}

describe('withdrawing earnings', () => {
  it('is mined as returned from the worker itself, and pays the destination everything', async () => {
    const tree = await released();
    const destination = somewhere();
    const action = await earnings(tree.worker, { destination });
    expect(action).toMatchObject({
      kind: 'withdraw_earnings',
      task_id: tree.taskId,
      node_id: tree.root,
      escrow_address: tree.escrow,
      wallet_address: tree.worker.address,
    });
    expect(action.payload['message']).toMatchObject({ nodeId: '1', recipient: destination, amount: '100000000' });
    await market.sendDirect(action);
    expect([await balanceOf(destination), await balanceOf(tree.escrow)]).toEqual([100_000_000n, 0n]);
    expect(await market.statusOf(action)).toBe('confirmed');
    const earned = await earnedOf(market.get(EarningsService), tree.worker.accountId);
    expect(earned).toMatchObject({ claimable: '0.00', paid: '100.00' });
    expect(await refusalOf(earnings(tree.worker))).toMatchObject({ code: 'state_conflict' });
  });

  it('is mined when anyone sends it with the signature, of a plain wallet and of a contract wallet', async () => {
    for (const worker of [await market.person('worker'), await market.contractPerson('worker')]) {
      const destination = somewhere();
      await released({ worker });
      const action = await earnings(worker, { destination });
      await market.relay(action.action_id, await market.sign(worker, action));
      expect(await balanceOf(destination)).toBe(100_000_000n);
    }
  });

  it('pays once, however many actions were prepared for the same money', async () => {
    const tree = await released();
    const [first, second] = [await earnings(tree.worker), await earnings(tree.worker)];
    expect(second.nonce).not.toBe(first.nonce);
    await market.sendDirect(second);
    await expect(market.sendDirect(first)).rejects.toThrow();
    await expect(market.relay(first.action_id, await market.sign(tree.worker, first))).rejects.toThrow('refused');
    expect(await balanceOf(tree.worker.address)).toBe(100_000_000n);
  });

  it('is refused on chain under a signature of somebody else', async () => {
    const tree = await released();
    const action = await earnings(tree.worker);
    await expect(market.relay(action.action_id, await market.sign(tree.buyer, action))).rejects.toThrow('refused');
  });

  it('needs nothing but silence: the lapsed window is written down on the way', async () => {
    const tree = await delivered();
    const refusal = await refusalOf(earnings(tree.worker));
    expect(refusal).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('100.00 USDC is pending'),
    });
    expect(refusal.suggestion).toMatch(/ends at \d{4}-/);
    await market.travel(3 * DAY + 10);
    const action = await earnings(tree.worker);
    expect(await market.statusOf(action)).toBe('prepared');
    await market.sendDirect(action);
    expect(await balanceOf(tree.worker.address)).toBe(100_000_000n);
    expect(await market.statusOf(action)).toBe('confirmed');
  });

  it('pays the floor of what no arbiter ruled on, the buyer the rest', async () => {
    const tree = await rejected({ arbiter });
    await market.send(tree.worker, tree.escrow, encodeDisputeNode(1n, ZERO32, await market.ownAuth(tree, 1n)));
    await market.index();
    await market.travel(30 * DAY + 10);
    const back = await refund(tree.buyer, tree);
    const own = await earnings(tree.worker);
    expect([amountIn(own), amountIn(back)]).toEqual(['50000000', '50000000']);
    await market.relay(own.action_id, await market.sign(tree.worker, own));
    // The node is finalized on the chain by now: the escrow leaves that part of the signed refund out.
    await market.relay(back.action_id, await market.sign(tree.buyer, back));
    expect([await balanceOf(tree.worker.address), await balanceOf(tree.buyer.address)]).toEqual([
      50_000_000n,
      50_000_000n,
    ]);
  });

  it('holds a child until the node above is settled, and then takes the node with most by itself', async () => {
    const tree = await market.tree();
    const hired = await market.person('hired');
    const child = await market.hireBelow(tree, 2, hired);
    await market.send(hired, tree.escrow, encodeDeliver(CHILD, ARTIFACT, false, await market.ownAuth(tree, CHILD)));
    await market.send(tree.worker, tree.escrow, encodeResolveTask(CHILD, ARTIFACT, await market.ownAuth(tree, CHILD)));
    await market.index();
    expect(await refusalOf(earnings(hired, { taskId: tree.taskId, nodeId: child }))).toMatchObject({
      code: 'state_conflict',
      suggestion: expect.stringContaining('until the nodes above are released'),
    });
    await market.send(tree.worker, tree.escrow, encodeDeliver(1n, ARTIFACT, false, await market.ownAuth(tree, 1n)));
    await market.send(tree.buyer, tree.escrow, encodeResolveTask(1n, ARTIFACT, await market.ownAuth(tree, 1n)));
    await market.index();
    expect(amountIn(await earnings(hired))).toBe('30000000');
    expect(amountIn(await earnings(tree.worker))).toBe('70000000');
    const more = await released({ worker: tree.worker });
    expect((await earnings(tree.worker)).node_id).toBe(more.root);
    expect((await earnings(tree.worker, { taskId: tree.taskId })).node_id).toBe(tree.root);
  });

  it('is for the worker alone, and hides what the caller does not see', async () => {
    const tree = await released();
    const stranger = await market.person('stranger');
    expect(await codeOf(earnings(stranger, { taskId: tree.taskId }))).toBe('not_found');
    expect(await codeOf(earnings(stranger, { taskId: tree.taskId, nodeId: tree.root }))).toBe('not_found');
    expect(await codeOf(earnings(tree.buyer, { taskId: tree.taskId }))).toBe('not_node_worker');
    expect(await codeOf(earnings(tree.buyer, { taskId: tree.taskId, nodeId: tree.root }))).toBe('not_node_worker');
    expect(await codeOf(earnings(tree.worker, { taskId: tree.taskId, nodeId: nodeIdOf(tree.taskId, 9n) }))).toBe(
      'not_found',
    );
    expect(await codeOf(earnings(stranger))).toBe('state_conflict');
  });

  it('never goes to a contract of the market, where it would be lost', async () => {
    const tree = await released();
    const other = await market.tree();
    const { usdc, factory, implementation } = market.chain;
    for (const destination of [tree.escrow, other.escrow, usdc, factory, implementation]) {
      expect(await codeOf(earnings(tree.worker, { destination }))).toBe('invalid_body');
    }
  });

  it('goes to the wallet that signs alone where a deployment wants that', async () => {
    const tree = await released();
    const environment = market.get(Environment);
    environment.withdrawToSignerOnly = true;
    try {
      expect(await codeOf(earnings(tree.worker, { destination: somewhere() }))).toBe('invalid_body');
      expect(await codeOf(earnings(tree.worker))).toBe('none');
    } finally {
      environment.withdrawToSignerOnly = false;
    }
  });

  it('is refused with the true reason while the token would not pay', async () => {
    const tree = await released();
    const destination = somewhere();
    await market.chain.callUsdc('blacklist', [destination]);
    expect(await refusalOf(earnings(tree.worker, { destination }))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('deny list'),
    });
    expect(await codeOf(earnings(tree.worker))).toBe('none');
    await market.chain.callUsdc('pause', []);
    try {
      expect(await refusalOf(earnings(tree.worker))).toMatchObject({ reason: expect.stringContaining('paused') });
    } finally {
      await market.chain.callUsdc('unpause', []);
    }
  });

  it('is refused when the chain is ahead of the index', async () => {
    const tree = await released();
    const call = encodeWithdrawEarnings(1n, tree.worker.address, 100_000_000n, market.ownWithdrawalAuth());
    await market.send(tree.worker, tree.escrow, call);
    expect(await refusalOf(earnings(tree.worker))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('withdrawn already'),
    });
  });
});

describe('withdrawing a refund', () => {
  it('is mined as returned from the buyer itself, and pays the destination everything', async () => {
    const tree = await abandoned();
    const destination = somewhere();
    const action = await refund(tree.buyer, tree, destination);
    expect(action).toMatchObject({ kind: 'withdraw_refund', task_id: tree.taskId, wallet_address: tree.buyer.address });
    expect(action.node_id).toBeUndefined();
    await market.sendDirect(action);
    expect([await balanceOf(destination), await balanceOf(tree.escrow)]).toEqual([100_000_000n, 0n]);
    expect(await market.statusOf(action)).toBe('confirmed');
    expect(await codeOf(refund(tree.buyer, tree))).toBe('state_conflict');
  });

  it('is mined when anyone sends it with the signature, of a plain wallet and of a contract wallet', async () => {
    for (const buyer of [await market.person('buyer'), await market.contractPerson('buyer')]) {
      const tree = await abandoned({ buyer });
      const destination = somewhere();
      const action = await refund(buyer, tree, destination);
      await market.relay(action.action_id, await market.sign(buyer, action));
      expect(await balanceOf(destination)).toBe(100_000_000n);
    }
  });

  it('takes what a rejection that became final gives back, with one call from the wallet or by its signature', async () => {
    for (const isSigned of [false, true]) {
      const tree = await rejected();
      expect(await refusalOf(refund(tree.buyer, tree))).toMatchObject({
        code: 'state_conflict',
        suggestion: expect.stringContaining('unless contested'),
      });
      await market.travel(10 * DAY + 10);
      const action = await refund(tree.buyer, tree);
      expect(amountIn(action)).toBe('100000000');
      if (isSigned) await market.relay(action.action_id, await market.sign(tree.buyer, action));
      else await market.sendDirect(action);
      expect(await balanceOf(tree.buyer.address)).toBe(100_000_000n);
    }
  });

  it('adds what time has decided to what is there already', async () => {
    const tree = await rejected();
    await market.hireRoot(tree, 2, 20_000_000n);
    await market.send(tree.worker, tree.escrow, encodeAbandonNode(2n, await market.ownAuth(tree, 2n)));
    await market.index();
    expect(amountIn(await refund(tree.buyer, tree))).toBe('20000000');
    await market.travel(10 * DAY + 10);
    const action = await refund(tree.buyer, tree);
    expect(amountIn(action)).toBe('120000000');
    // Somebody finalizes the node between the signature and the transaction.
    await market.send(tree.worker, tree.escrow, encodeFinalize(1n));
    await market.relay(action.action_id, await market.sign(tree.buyer, action));
    expect(await balanceOf(tree.buyer.address)).toBe(120_000_000n);
  });

  it('has failed when its batch only finalized, because the money was gone by another withdrawal', async () => {
    const tree = await rejected();
    await market.hireRoot(tree, 2, 20_000_000n);
    await market.send(tree.worker, tree.escrow, encodeAbandonNode(2n, await market.ownAuth(tree, 2n)));
    await market.index();
    await market.travel(10 * DAY + 10);
    const action = await refund(tree.buyer, tree);
    const principal = { accountId: tree.buyer.accountId, scopes: ['buyer'] as const };
    const submissions = market.get(SubmissionsService);
    const signature = await market.sign(tree.buyer, action);
    const { transaction } = await submissions.submitSignature(principal, action.action_id, signature);
    const own = { actionId: ZERO32, requestDigest: ZERO32, nonce: 2n ** 255n + 77n, validUntil: 2n ** 40n };
    const { address } = tree.buyer;
    await market.send(tree.buyer, tree.escrow, encodeWithdrawRefund(address, address, 20_000_000n, senderAuth(own)));
    const hash = await market.chain.send(transaction!.to, transaction!.data);
    await market.index();
    expect(await balanceOf(address)).toBe(20_000_000n);
    await submissions.submitTransaction(principal, action.action_id, hash as Hex);
    expect(await market.statusOf(action)).toBe('failed');
  });

  it('asks for the claim of a node that was not delivered in time before', async () => {
    const tree = await market.tree();
    await market.travel(10 * DAY + 10);
    expect(await refusalOf(refund(tree.buyer, tree))).toMatchObject({
      code: 'state_conflict',
      suggestion: expect.stringContaining(tree.root),
    });
    await market.send(
      tree.buyer,
      tree.escrow,
      encodeClaimNonDelivery(1n, tree.buyer.address, await market.ownAuth(tree, 1n)),
    );
    await market.index();
    expect(amountIn(await refund(tree.buyer, tree))).toBe('100000000');
  });

  it('is for who has paid in: the buyer, and a worker that hired with its own money', async () => {
    const tree = await market.tree();
    const hired = await market.person('hired');
    const stranger = await market.person('stranger');
    expect(await codeOf(refund(stranger, tree))).toBe('not_found');
    expect(await codeOf(refund(tree.worker, tree))).toBe('not_task_buyer');
    await hireWithOwnMoney(tree, hired);
    expect(await codeOf(refund(hired, tree))).toBe('not_task_buyer');
    expect(await codeOf(refund(tree.worker, tree))).toBe('state_conflict');
    await market.send(hired, tree.escrow, encodeAbandonNode(CHILD, await market.ownAuth(tree, CHILD)));
    await market.index();
    const action = await refund(tree.worker, tree);
    expect(action).toMatchObject({ wallet_address: tree.worker.address });
    await market.sendDirect(action);
    expect(await balanceOf(tree.worker.address)).toBe(30_000_000n);
    expect(await codeOf(refund(tree.buyer, tree))).toBe('state_conflict');
  });

  it('is of the wallet that is named, where an account has paid by several, else of that with most', async () => {
    const buyer = await market.person('buyer');
    const key = market.chain.wallet();
    const address = key.address as Hex;
    await market.chain.giveEther(address);
    const link = 'INSERT INTO account_wallets (address, chain_id, account_id, linked_at) VALUES ($1, 0, $2, now())';
    await market.dataSource.query(link, [address, buyer.accountId]);
    const second = { ...buyer, key, address, agentId: await market.rows.agent(buyer.accountId, address) };
    const hired = await market.person('hired');
    const tree = await market.tree({ buyer, worker: second });
    await market.hireRoot(tree, 2, 20_000_000n);
    await market.send(second, tree.escrow, encodeAbandonNode(2n, await market.ownAuth(tree, 2n)));
    await hireWithOwnMoney(tree, hired);
    await market.send(hired, tree.escrow, encodeAbandonNode(CHILD, await market.ownAuth(tree, CHILD)));
    await market.index();
    expect(await refund(buyer, tree)).toMatchObject({ wallet_address: second.address });

    const stranger = somewhere();
    expect(await refusalOf(refund(buyer, tree, stranger, stranger))).toMatchObject({
      code: 'state_conflict',
      reason: 'No money of this task has come back to the wallet.',
    });
    const destination = somewhere();
    const action = await refund(buyer, tree, destination, buyer.address);
    expect(action).toMatchObject({ wallet_address: buyer.address, payload: { message: { amount: '20000000' } } });
    await market.sendDirect(action);
    expect(await balanceOf(destination)).toBe(20_000_000n);
    expect(await codeOf(refund(buyer, tree, destination, buyer.address))).toBe('state_conflict');
    expect(amountIn(await refund(buyer, tree, destination, second.address))).toBe('30000000');
  });

  it('is refused with the true reason, and never goes to a contract of the market', async () => {
    const tree = await abandoned();
    const destination = somewhere();
    await market.chain.callUsdc('blacklist', [destination]);
    expect(await refusalOf(refund(tree.buyer, tree, destination))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('deny list'),
    });
    expect(await codeOf(refund(tree.buyer, tree, tree.escrow))).toBe('invalid_body');
    expect(await codeOf(refund(tree.buyer, tree, market.chain.usdc))).toBe('invalid_body');
  });
});
