import { Interface } from 'ethers';
import {
  checksumAddress,
  encodeCreateTree,
  FundingMode,
  type TaskStatus,
  taskEscrowAbi,
  taskEscrowFactoryAbi,
  treeIdOf,
  typedDataDigest,
  typedDataStructHash,
} from '#libs/contracts';
import { type Hex, nodeIdOf } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { FundingSource } from '../money/funding-source.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { FundTask } from './fund-task.js';
import { fieldsOf, termsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('FundTask');
const { message } = vector;
const terms = termsOf(vector);
const fields = fieldsOf(vector);
const TASK = `task_${'0'.repeat(26)}`;
const NOW = 1_800_000_000;
const ESCROW = vector.domain.verifyingContract;
const TOKEN = message['token'] as Hex;
const address = (digit: string): Hex => checksumAddress(`0x${digit.repeat(40)}`);
const [BUYER, FACTORY] = ['3', '5'].map(address) as [Hex, Hex];
const ZERO = `0x${'0'.repeat(40)}`;
const escrow = new Interface(taskEscrowAbi);
const factory = new Interface(taskEscrowFactoryAbi);
const markFundingSubmitted = jest.fn();
const selectedQuote = {
  id: 'quote_1',
  nodePath: terms.nodeId,
  workerWallet: terms.worker,
  price: terms.amount,
  floor: terms.floor,
  workSeconds: terms.workSeconds,
  acceptWindowSeconds: terms.acceptWindow,
  maxRevisions: terms.maxRevisions,
  hirerFunded: true,
  termsHash: terms.termsHash,
  validUntil: new Date((NOW + 5_000) * 1000),
  actionId: 'act_quote',
  requestDigest: `0x${'cd'.repeat(32)}`,
  nonce: 256n,
  signature: '0x1234',
};

interface Own {
  task?: object;
  /** Change of the selected quote; null: none can be paid. */
  quote?: object | null;
  isDeployed?: boolean;
  mode?: 'authorization' | 'permit' | 'allowance' | 'refund_balance';
  refusal?: ApiError;
}

function kind({ task = {}, quote = {}, isDeployed = true, mode = 'refund_balance', refusal }: Own = {}): FundTask {
  const row = {
    id: TASK,
    buyerAccountId: 'acct_b',
    buyerWallet: BUYER,
    escrowAddress: ESCROW,
    status: 'selected',
    selectedQuoteId: 'quote_1',
    selectionUntil: new Date((NOW + 5_000) * 1000),
    ...task,
  };
  const selected = quote === null ? null : { ...selectedQuote, ...quote };
  const tokenDomain = { chainId: 31337, tokenAddress: TOKEN, name: 'USD Coin', version: '2' };
  const standing = { tokenDomain, allowance: 0n, permitNonce: 0n };
  const tree = { buyer: BUYER, arbiter: ZERO, treeId: treeIdOf(TASK) };
  const dependencies = [
    { find: async () => row },
    { markFundingSubmitted },
    {
      ahead: async () => [],
      of: async () => selected,
      forTask: async () => ({ task: row, quote: selected }),
      isDeployed: async () => isDeployed,
      treeCall: (_task: object, then?: Hex) => ({ to: FACTORY, data: encodeCreateTree(tree, then), value: '0x0' }),
      refusePaidElsewhere: async () => undefined,
      refuseUndeployable: async () => {
        if (refusal) throw refusal;
      },
    },
    { choose: async (payment: never) => new FundingSource(mode, payment, standing), tryOut: async () => undefined },
    { chainId: Number(vector.domain.chainId), usdcAddress: TOKEN },
    { nowSeconds: () => NOW, nowMs: () => NOW * 1000 },
  ] as unknown as ConstructorParameters<typeof FundTask>;
  return new FundTask(...dependencies);
}

function check(own: Own = {}) {
  const intent = { accountId: 'acct_b', walletAddress: BUYER, requestDigest: fields.requestDigest };
  return kind(own).check(intent, { taskId: TASK });
}

const endsAt = (seconds: number): object => ({ validUntil: new Date(seconds * 1000) });

/** The name and the arguments of a call of the escrow. */
function callIn(data: string): { name: string; args: any[] } {
  const { name, args } = escrow.parseTransaction({ data })!;
  return { name, args: args.toArray(true) };
}

describe('funding a task', () => {
  it("is paid by the token's authorisation over the digest of the shared vector", async () => {
    const { authorizes, primaryType } = Object.assign(
      { authorizes: undefined },
      (await (await check({ mode: 'authorization' })).confirm()).typedData(fields),
    ) as any;
    expect(primaryType).toBe('ReceiveWithAuthorization');
    expect(authorizes.message).toEqual(message);
    expect(typedDataStructHash(authorizes)).toBe(vector.structHash);
    expect(typedDataDigest(authorizes)).toBe(vector.digest);
  });

  it.each([
    ['allowance', FundingMode.Allowance],
    ['refund_balance', FundingMode.RefundBalance],
  ] as const)('is signed for the mode that pays: %s', async (mode, number) => {
    const signed = (await (await check({ mode })).confirm()).typedData(fields);
    expect(signed.message).toEqual({ ...message, fundingMode: number.toString() });
  });

  it('is about the node that it opens, and remembers how it is paid', async () => {
    const { nodeId, nonce, details, signer, scope } = await check();
    expect([nodeId, nonce, signer, scope]).toEqual([`node_${'0'.repeat(26)}_1`, 256n, BUYER, 'buyer']);
    expect(details).toEqual({ funding_mode: 'refund_balance', quote_id: 'quote_1', fund_by: NOW + 5_000 });
  });

  it.each(['authorization', 'permit', 'allowance', 'refund_balance'] as const)(
    "brings in the price out of the buyer's own money by %s",
    async (mode) => {
      expect((await check({ mode })).ownMoney).toBe(terms.amount);
    },
  );

  it("is one direct call with the worker's signature and none of the buyer's", async () => {
    const [direct, ...more] = (await (await check()).confirm()).directCalls(fields);
    expect([direct?.to, more]).toEqual([ESCROW, []]);
    const { name, args } = callIn(direct!.data);
    const [called, mode, hirerAuth, workerAuth, permit] = args;
    expect([name, mode, permit]).toEqual(['fundTask', 3n, '0x']);
    expect(called.map(String)).toEqual(Object.values(message['terms']).map(String));
    expect(hirerAuth).toEqual([fields.actionId, fields.requestDigest, fields.nonce, fields.validUntil, '0x']);
    expect(workerAuth.slice(2)).toEqual([256n, BigInt(NOW + 5_000), '0x1234']);
  });

  it('first deploys the escrow where there is none, since the factory passes on no call without a signature', async () => {
    const [tree, payment, ...more] = (await (await check({ isDeployed: false })).confirm()).directCalls(fields);
    expect([tree?.to, payment?.to, more]).toEqual([FACTORY, ESCROW, []]);
    expect(factory.parseTransaction({ data: tree!.data })?.args[3]).toBe('0x');
    expect(callIn(payment!.data).name).toBe('fundTask');
  });

  it('is tried as it would be sent, where it can be', async () => {
    expect((await check()).triedCalls(fields)).toEqual([expect.objectContaining({ from: BUYER, to: ESCROW })]);
    expect((await check({ isDeployed: false })).triedCalls(fields)).toEqual([]);
    expect((await check({ mode: 'allowance' })).triedCalls(fields)).toEqual([]);
    expect((await check({ mode: 'authorization' })).triedCalls(fields)).toEqual([]);
  });

  it("is refused for an escrow that does not exist yet, when the worker's wallet no longer stands by the quote", async () => {
    const refusal = new ApiError('state_conflict', 'withdrawn');
    await expect((await check({ isDeployed: false, refusal })).confirm()).rejects.toBe(refusal);
  });

  it('ends with the quote where that ends first', async () => {
    const checked = await check({ quote: endsAt(NOW + 899) });
    expect([checked.latestSeconds, checked.validUntilSeconds]).toEqual([NOW + 899, undefined]);
  });

  it.each<[string, Own, string]>([
    ['another buyer', { task: { buyerAccountId: 'acct_other', status: 'funded' } }, 'not_task_buyer'],
    ['no selection yet', { task: { status: 'open', selectedQuoteId: null } }, 'state_conflict'],
    ['a selection that lapsed', { task: { status: 'open' } }, 'quote_expired'],
    ['a quote with 59 seconds left', { quote: endsAt(NOW + 59) }, 'quote_expired'],
    [
      'a quote whose end the row already shows',
      { quote: null, task: { selectionUntil: new Date(NOW) } },
      'quote_expired',
    ],
    ['a quote that was taken up', { quote: null }, 'state_conflict'],
    ['a permit without an escrow', { isDeployed: false, mode: 'permit' }, 'state_conflict'],
  ])('is refused with %s', async (_what, own, code) => {
    await expect(check(own)).rejects.toMatchObject({ code });
  });

  it.each(['draft', 'funded', 'delivered', 'rejected', 'disputed', 'resolved', 'refunded', 'cancelled', 'expired'])(
    'is refused while the task is %s',
    async (status) => {
      await expect(check({ task: { status } })).rejects.toMatchObject({ code: 'state_conflict', status: 409 });
    },
  );

  it('can be prepared again while a payment is under way, and with a minute left', async () => {
    await expect(check({ task: { status: 'funding_pending' } })).resolves.toBeDefined();
    await expect(check({ quote: endsAt(NOW + 60) })).resolves.toBeDefined();
  });

  it('is superseded by a task that has no selection', () => {
    const standing = (taskStatus: TaskStatus | null) => kind().isSupersededBy({ nodeState: null, taskStatus });
    expect([standing('selected'), standing('funding_pending')]).toEqual([false, false]);
    expect([standing('funded'), standing('open'), standing(null)]).toEqual([true, true, true]);
  });
});

describe('the signed call', () => {
  const action = (change: object = {}, mode = FundingMode.RefundBalance): PreparedActionEntity => {
    const details = { funding_mode: 'refund_balance', quote_id: 'quote_1', fund_by: NOW + 10, ...change };
    const payload = { message: { ...message, fundingMode: mode.toString() } };
    const validUntil = new Date((NOW + 100) * 1000);
    const own = { taskId: TASK, nodeId: nodeIdOf(TASK, 7n), escrowAddress: ESCROW, payload, details, validUntil };
    return own as unknown as PreparedActionEntity;
  };

  it('goes to the escrow where it exists, and through the factory where it does not', async () => {
    const onChain = await kind().signedCall(action(), '0x12');
    const nowhere = await kind({ isDeployed: false }).signedCall(action(), '0x12');
    expect([onChain.to, onChain.from, nowhere.to]).toEqual([ESCROW, undefined, FACTORY]);
    const { name, args } = callIn(onChain.data);
    expect([name, args[2]]).toEqual(['fundTask', [...Object.values(fields), '0x12']]);
    expect(factory.parseTransaction({ data: nowhere.data })?.args[3]).toBe(onChain.data);
  });

  it('is refused once the selection is gone, is another one, or is over', async () => {
    await expect(kind({ quote: null }).signedCall(action(), '0x12')).rejects.toMatchObject({ status: 409 });
    const other = kind().signedCall(action({ quote_id: 'quote_2' }), '0x12');
    await expect(other).rejects.toMatchObject({ code: 'state_conflict' });
    const over = kind().signedCall(action({ fund_by: NOW - 1 }), '0x12');
    await expect(over).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(kind().signedCall(action({ fund_by: NOW }), '0x12')).resolves.toBeDefined();
  });

  it('marks the payment of its node as pending until the quote or the signature ends', async () => {
    await kind().onSigned({} as never, action());
    await kind().onSigned({} as never, action({ fund_by: NOW + 1_000 }));
    const marks = markFundingSubmitted.mock.calls.map(([, id, node, until]) => [
      id,
      node,
      until.getTime() / 1000 - NOW,
    ]);
    expect(marks).toEqual([
      [TASK, 7n, 10],
      [TASK, 7n, 100],
    ]);
  });
});
