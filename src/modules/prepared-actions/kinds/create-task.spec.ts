import { zeroPadValue } from 'ethers';
import { typedDataDigest, typedDataStructHash } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { type TaskDraft, TaskDrafts } from '../../tasks/task-drafts.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { CreateTask } from './create-task.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('CreateTask');
const { message } = vector;
const fields = fieldsOf(vector);
const NOW = Date.UTC(2026, 10, 20, 12);
const BUYER = message['buyer']!;
const FACTORY = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const IMPLEMENTATION = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const USDC = message['token'] as Hex;
const DRAFT: TaskDraft = { brief: 'Translate.', budget: 250_000_000n, selectionMode: 'manual' };

interface Written {
  id: string;
  status: string;
  draftUntil: Date | null;
}

/** The kind over the real drafts; what is written is collected. */
function stage(change: { plan?: object } = {}): { kind: CreateTask; written: Written[]; opened: unknown[] } {
  const written: Written[] = [];
  const opened: unknown[] = [];
  const clock = { now: () => new Date(NOW), nowMs: () => NOW, nowSeconds: () => NOW / 1000 };
  const config = new ChainConfig({
    chainId: Number(vector.domain.chainId),
    factoryAddress: FACTORY,
    implementationAddress: IMPLEMENTATION,
    usdcAddress: USDC,
    usdcName: 'USD Coin',
    usdcVersion: '2',
  });
  const store = {
    settle: (task: object) => Object.assign(task, { status: 'draft' }),
    insert: async (_manager: unknown, task: Written) => written.push({ ...task }),
    markOpened: async (...values: unknown[]) => opened.push(values.slice(1)),
  };
  const drafts = new TaskDrafts(
    ...([
      {},
      clock,
      config,
      store,
      { admitWithNext: async () => undefined },
      { quotaTasks: 0 },
    ] as unknown as ConstructorParameters<typeof TaskDrafts>),
  );
  const { plan } = change;
  const used = plan === undefined ? drafts : { plan: () => plan };
  const parts = [used, store, config, clock] as unknown as ConstructorParameters<typeof CreateTask>;
  return { kind: new CreateTask(...parts), written, opened };
}

const intent = (walletAddress: string | null = BUYER) => ({
  accountId: 'acct_b',
  walletAddress,
  requestDigest: fields.requestDigest,
});
const check = (draft: Partial<TaskDraft> = {}, wallet: string | null = BUYER) =>
  stage().kind.check(intent(wallet), { draft: { ...DRAFT, ...draft } });

describe('creating a task', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const plan = {
      id: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
      buyerWallet: BUYER,
      arbiterWallet: message['arbiter'],
      budget: BigInt(message['budget']!),
      termsHash: message['termsHash'],
      escrowAddress: vector.domain.verifyingContract,
      offersUntil: new Date(NOW + 86_400_000),
    };
    const checked = await stage({ plan }).kind.check(intent(), { draft: DRAFT });
    const typedData = (await checked.confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
    expect(Object.keys(typedData.types)).toEqual(['EIP712Domain', 'CreateTask']);
  });

  it('is only signed: no call takes it to the chain, with or without the signature', async () => {
    const checked = await check();
    expect([checked.triedCalls(fields), (await checked.confirm()).directCalls(fields)]).toEqual([[], []]);
    expect(await stage().kind.signedCall()).toBeNull();
    expect([checked.nodeId, checked.nonce, checked.signer, checked.scope]).toEqual([null, 0n, BUYER, 'buyer']);
  });

  it('takes offers for two weeks unless another end is named, and its signature is valid until then', async () => {
    expect((await check()).validUntilSeconds).toBe(NOW / 1000 + 14 * 86_400);
    const named = await check({ offersUntil: new Date(NOW + 86_400_999) });
    expect(named.validUntilSeconds).toBe(NOW / 1000 + 86_400);
  });

  it.each([
    ['in the past', -1, false],
    ['a second short of an hour', 3_599, false],
    ['an hour', 3_600, true],
    ['90 days', 90 * 86_400, true],
    ['a second more', 90 * 86_400 + 1, false],
  ])('with a deadline of %s is taken or refused by the clock', async (_what, seconds, isTaken) => {
    const outcome = await check({ offersUntil: new Date(NOW + seconds * 1_000) }).then(
      () => 'taken',
      ({ code }) => code,
    );
    expect(outcome).toBe(isTaken ? 'taken' : 'invalid_body');
  });

  it('writes the draft with the end of its own action, and opens it by the signature', async () => {
    const { kind, written, opened } = stage();
    const checked = await kind.check(intent(), { draft: DRAFT });
    expect(written).toEqual([]);
    const expiresAt = new Date(NOW + 900_000);
    const action = { taskId: checked.taskId, expiresAt } as PreparedActionEntity;
    await checked.record!({} as never, action);
    expect(written).toEqual([expect.objectContaining({ id: checked.taskId, status: 'draft', draftUntil: expiresAt })]);
    await kind.onSigned({} as never, action);
    expect(opened).toEqual([[checked.taskId, new Date(NOW)]]);
  });

  it.each([
    ['a root under its terms', 9n, message['termsHash']!, true],
    ['a root under other terms', 9n, `0x${'9'.repeat(64)}`, false],
    ['a node below a root', (1n << 24n) | 1n, message['termsHash']!, false],
  ])('is paid for by the payment of %s: %s', (_what, nodeId, termsHash, isPaid) => {
    const payment = { type: 'NodeFunded', nodeId, termsHash } as Parameters<CreateTask['isPaidBy']>[0];
    expect(stage().kind.isPaidBy(payment, { payload: { message } })).toBe(isPaid);
  });

  it.each([
    ['the factory', FACTORY],
    ['the implementation', IMPLEMENTATION],
    ['the token', USDC],
    ['an address that chains keep for themselves', zeroPadValue('0x04', 20)],
    ['the last one of those', zeroPadValue('0xffff', 20)],
  ])('is refused with %s as the arbiter, as the factory would refuse it', async (_what, arbiterWallet) => {
    const refusal = { code: 'invalid_body', reason: expect.stringContaining('arbiter') };
    await expect(check({ arbiterWallet })).rejects.toMatchObject(refusal);
  });

  it('is refused when the arbiter is the escrow itself', async () => {
    const arbiterWallet = zeroPadValue('0x123456', 20);
    const plan = { id: 'task_x', escrowAddress: arbiterWallet, arbiterWallet, buyerWallet: BUYER };
    await expect(stage({ plan }).kind.check(intent(), { draft: { ...DRAFT, arbiterWallet } })).rejects.toMatchObject({
      code: 'invalid_body',
      reason: expect.stringContaining('arbiter'),
    });
  });

  it('takes the first address that may be a wallet as the arbiter', async () => {
    await expect(check({ arbiterWallet: zeroPadValue('0x010000', 20) })).resolves.toMatchObject({ scope: 'buyer' });
  });

  it('is refused without a wallet, with an arbiter who pays, and with a budget that could never be funded', async () => {
    await expect(check({}, null)).rejects.toMatchObject({ code: 'wallet_mismatch', status: 409 });
    await expect(check({ arbiterWallet: BUYER })).rejects.toMatchObject({ code: 'invalid_body' });
    await expect(check({ budget: 999_999n })).rejects.toMatchObject({ code: 'invalid_body' });
    await expect(check({ budget: 1_000_000n })).resolves.toBeDefined();
  });
});
