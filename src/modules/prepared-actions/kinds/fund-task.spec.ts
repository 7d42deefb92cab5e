import { Interface } from 'ethers';
import { checksumAddress, contractCall, type TaskStatus, taskEscrowAbi } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { FundingSource } from '../money/funding-source.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { FundTask } from './fund-task.js';

const TASK = `task_${'0'.repeat(26)}`;
const NOW = 1_800_000_000;
const TTL = 900;
const address = (digit: string): Hex => checksumAddress(`0x${digit.repeat(40)}`);
const [TOKEN, ESCROW, BUYER, WORKER, FACTORY] = ['1', '2', '3', '4', '5'].map(address) as [Hex, Hex, Hex, Hex, Hex];
const fields = {
  actionId: `0x${'ab'.repeat(32)}`,
  requestDigest: `0x${'cd'.repeat(32)}`,
  nonce: 7n,
  validUntil: 9n,
} as const;
const escrow = new Interface(taskEscrowAbi);
const markFundingSubmitted = jest.fn();
const root = {
  quote: { id: 'quote_1' },
  nodeNumber: 3,
  worker: WORKER,
  amount: 100n,
  fundBy: NOW + 5_000,
  isOnChain: false,
};

interface Own {
  task?: object;
  root?: object | null;
  isDeployed?: boolean;
  opening?: Hex[];
  mode?: 'authorization' | 'permit' | 'allowance' | 'refund_balance';
}

function kind({
  task = {},
  root: own = {},
  isDeployed = true,
  opening = [],
  mode = 'refund_balance',
}: Own = {}): FundTask {
  const row = {
    buyerAccountId: 'acct_b',
    buyerWallet: BUYER,
    escrowAddress: ESCROW,
    status: 'selected',
    selectedQuoteId: 'quote_1',
    selectionUntil: new Date((NOW + 5_000) * 1000),
    ...task,
  };
  const tree = {
    isDeployed,
    opening,
    selected: own === null ? null : { ...root, ...own },
    createTree: (calls: readonly Hex[]) => contractCall(FACTORY, `0x${calls.map((call) => call.slice(2)).join('')}`),
  };
  const tokenDomain = { chainId: 31337, tokenAddress: TOKEN, name: 'USD Coin', version: '2' };
  const standing = { tokenDomain, allowance: 0n, permitNonce: 0n };
  const dependencies = [
    { find: async () => row },
    { markFundingSubmitted },
    { keptAhead: () => ({}), callsOf: async () => tree, callsFor: async () => tree },
    { choose: async (payment: never) => new FundingSource(mode, payment, standing), tryOut: async () => undefined },
    { chainId: 31337, usdcAddress: TOKEN },
    { actionTtlSeconds: TTL },
    { nowSeconds: () => NOW },
  ] as unknown as ConstructorParameters<typeof FundTask>;
  return new FundTask(...dependencies);
}

function check(own: Own = {}) {
  const intent = { accountId: 'acct_b', walletAddress: BUYER, requestDigest: fields.requestDigest };
  return kind(own).check(intent, { taskId: TASK });
}

const names = (calls: readonly { to: string; data: string }[]) =>
  calls.map(({ to, data }) => [to, escrow.parseTransaction({ data })?.name ?? data]);

describe('funding a task', () => {
  it('is the FundTask of the selected node for its price', async () => {
    const ready = await (await check()).confirm();
    const { primaryType, domain, message } = ready.typedData(fields);
    expect([primaryType, domain.verifyingContract]).toEqual(['FundTask', ESCROW]);
    expect(message).toMatchObject({ nodeId: '3', worker: WORKER, token: TOKEN, amount: '100', nonce: '7' });
  });

  it('is about the node that it opens, and remembers how it is paid', async () => {
    const { nodeId, details, signer, scope } = await check();
    expect([nodeId, signer, scope]).toEqual([`node_${'0'.repeat(26)}_3`, BUYER, 'buyer']);
    expect(details).toEqual({
      funding_mode: 'refund_balance',
      node_number: 3,
      quote_id: 'quote_1',
      fund_by: root.fundBy,
    });
  });

  it.each(['authorization', 'permit', 'allowance', 'refund_balance'] as const)(
    "brings in the price out of the buyer's own money by %s",
    async (mode) => {
      expect((await check({ mode })).ownMoney).toBe(100n);
    },
  );

  it.each<[string, Own, (readonly [string, string])[]]>([
    ['a selected node on the chain', {}, [[ESCROW, 'fundTask']]],
    ['an escrow without the selection', { opening: ['0x12'] }, [[ESCROW, 'multicall']]],
    [
      'no escrow',
      { isDeployed: false, opening: ['0x12'] },
      [
        [FACTORY, '0x12'],
        [ESCROW, 'fundTask'],
      ],
    ],
  ])('is sent by its buyer in as few transactions as the chain allows: %s', async (_what, own, calls) => {
    expect(names((await (await check(own)).confirm()).directCalls(fields))).toEqual(calls);
  });

  it('is tried as it would be sent, where it can be', async () => {
    expect((await check()).triedCalls(fields)).toEqual([expect.objectContaining({ from: BUYER, to: ESCROW })]);
    expect((await check({ isDeployed: false, opening: ['0x12'] })).triedCalls(fields)).toEqual([]);
    expect((await check({ mode: 'allowance' })).triedCalls(fields)).toEqual([]);
    expect((await check({ mode: 'authorization' })).triedCalls(fields)).toEqual([]);
  });

  it('ends with the quote where that ends first', async () => {
    expect((await check()).validUntilSeconds).toBeUndefined();
    expect((await check({ root: { fundBy: NOW + TTL } })).validUntilSeconds).toBeUndefined();
    expect((await check({ root: { fundBy: NOW + TTL - 1 } })).validUntilSeconds).toBe(NOW + TTL - 1);
  });

  it.each<[string, Own, string]>([
    ['another buyer', { task: { buyerAccountId: 'acct_other', status: 'funded' } }, 'not_task_buyer'],
    ['no selection yet', { task: { status: 'open', selectedQuoteId: null } }, 'state_conflict'],
    ['a selection that lapsed', { task: { status: 'open' } }, 'quote_expired'],
    ['a quote with 59 seconds left', { root: { fundBy: NOW + 59 } }, 'quote_expired'],
    [
      'a quote whose end the row already shows',
      { root: null, task: { selectionUntil: new Date(NOW) } },
      'quote_expired',
    ],
    ['a chain that has moved on', { root: null }, 'state_conflict'],
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
    await expect(check({ root: { fundBy: NOW + 60 } })).resolves.toBeDefined();
  });

  it('is superseded by the funded node, and by a task that has no selection', () => {
    const standing = (nodeState: 'funded' | null, taskStatus: TaskStatus | null) =>
      kind().isSupersededBy({ nodeState, taskStatus });
    expect([standing(null, 'selected'), standing(null, 'funding_pending')]).toEqual([false, false]);
    expect([standing('funded', 'funded'), standing(null, 'open'), standing(null, null)]).toEqual([true, true, true]);
  });
});

describe('the signed call', () => {
  const payload = { message: { ...fields, nonce: '7', validUntil: '9' } };
  const action = (change: object = {}): PreparedActionEntity => {
    const details = { funding_mode: 'refund_balance', quote_id: 'quote_1', fund_by: NOW + 10, ...change };
    const validUntil = new Date((NOW + 100) * 1000);
    return { taskId: TASK, escrowAddress: ESCROW, payload, details, validUntil } as unknown as PreparedActionEntity;
  };

  it('goes to the escrow where it exists, and through the factory where it does not', async () => {
    const onChain = await kind().signedCall(action(), '0x12');
    const opening = await kind({ opening: ['0x1234'] }).signedCall(action(), '0x12');
    const nowhere = await kind({ isDeployed: false, opening: ['0x1234'] }).signedCall(action(), '0x12');
    expect(names([onChain, opening])).toEqual([
      [ESCROW, 'fundTask'],
      [ESCROW, 'multicall'],
    ]);
    expect(nowhere.to).toBe(FACTORY);
    expect(nowhere.data.startsWith(`0x1234${onChain.data.slice(2, 10)}`)).toBe(true);
  });

  it('is refused once the selection is gone', async () => {
    await expect(kind({ root: null }).signedCall(action(), '0x12')).rejects.toMatchObject({ status: 409 });
    const other = kind().signedCall(action({ quote_id: 'quote_2' }), '0x12');
    await expect(other).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('marks the payment of the task as pending until the quote or the signature ends', async () => {
    await kind().onSigned({} as never, action());
    await kind().onSigned({} as never, action({ fund_by: NOW + 1_000 }));
    const ends = markFundingSubmitted.mock.calls.map(([, taskId, until]) => [taskId, until.getTime() / 1000 - NOW]);
    expect(ends).toEqual([
      [TASK, 10],
      [TASK, 100],
    ]);
  });
});
