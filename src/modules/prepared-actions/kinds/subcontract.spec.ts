import { Interface } from 'ethers';
import {
  checksumAddress,
  type DecodedRevert,
  encodeFinalize,
  NodeState,
  type StoredNode,
  taskEscrowAbi,
  typedDataDigest,
  typedDataStructHash,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { FundingSource, type SourceName } from '../money/funding-source.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { PendingFinalizations } from '../money/pending-finalizations.js';
import { SubcontractQuotes } from '../checks/subcontract-quotes.js';
import { Subcontract } from './subcontract.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('Subcontract');
const { message } = vector;
const { terms } = message;
const fields = fieldsOf(vector);
const ESCROW = vector.domain.verifyingContract;
const TOKEN = message['token'] as Hex;
const HIRER = checksumAddress(`0x${'5'.repeat(40)}`);
const NOW = 1_890_000_000;
const DELIVER_BY = NOW + Number(terms['workSeconds']) + 120;
const PATH = BigInt(terms['nodeId']);
const PARENT = PATH >> 24n;
const PRICE = BigInt(terms['amount']!);
const WINDOW = Number(terms['acceptWindow']);
const endedPath = (index: number): bigint => (PARENT << 24n) | BigInt(100 + index);
const escrow = new Interface(taskEscrowAbi);
const seconds = (at: number): Date => new Date(at * 1000);

interface Own {
  node?: object;
  quote?: object | null;
  parent?: Partial<StoredNode> | null;
  child?: object | null;
  task?: object;
  agentStatus?: string;
  now?: number;
  /** What nodes under the parent give back once they are finalized, base units each. */
  ended?: readonly bigint[];
  fault?: { revert: DecodedRevert | null };
}

function kind({
  node = {},
  quote = {},
  parent = {},
  child = null,
  task = {},
  agentStatus = 'active',
  now = NOW,
  ended = [],
  fault,
}: Own = {}): Subcontract {
  const row = {
    id: 'quote_1',
    taskId: 'task_1',
    payerAccountId: 'acct_w',
    nodePath: PATH,
    price: PRICE,
    floor: BigInt(terms['floor']),
    workSeconds: Number(terms['workSeconds']),
    maxRevisions: Number(terms['maxRevisions']),
    acceptWindowSeconds: WINDOW,
    hirerFunded: false,
    termsHash: terms['termsHash'],
    workerWallet: terms['worker'],
    status: 'submitted',
    validUntil: seconds(NOW),
    actionId: 'act_1',
    requestDigest: fields.requestDigest,
    nonce: 3n,
    signature: '0x1234',
    ...quote,
  };
  const stored = { state: NodeState.Funded, worker: HIRER, deliverBy: DELIVER_BY, floor: PRICE + 1n, allocated: 1n };
  const source = (payment: never, name: SourceName, unwritten: readonly bigint[] = []) => {
    const tokenDomain = { chainId: 31337, tokenAddress: TOKEN, name: 'USD Coin', version: '2' };
    return new FundingSource(name, payment, { tokenDomain, allowance: 0n, permitNonce: 0n }, unwritten);
  };
  const below = ended.map((_, index) => endedPath(index));
  const chain = {
    nodeAt: async (_escrow: string, path: bigint) => {
      const index = below.indexOf(path);
      if (index >= 0) return { state: NodeState.Rejected, clock: now - 1, amount: ended[index] };
      if (path !== PARENT) return child;
      return parent === null ? null : { ...stored, ...parent };
    },
  };
  const clock = { nowSeconds: () => now };
  const skipped = fault === undefined ? [] : [{ index: ended.length, ...fault }];
  const ends = new PendingFinalizations(
    ...([chain, clock, { run: async () => ({ failure: null, skipped }) }] as unknown as ConstructorParameters<
      typeof PendingFinalizations
    >),
  );
  const quotes = new SubcontractQuotes(
    ...([
      { find: async () => (quote === null ? null : { quote: row, isSuspended: agentStatus === 'suspended' }) },
      { returnsTo: async () => below },
      ends,
      chain,
      clock,
    ] as unknown as ConstructorParameters<typeof SubcontractQuotes>),
  );
  const dependencies = [
    { find: async () => ({ termsHash: terms['termsHash'], ...task }) },
    {
      find: async () => ({
        path: PARENT,
        version: 1,
        workerAccountId: 'acct_w',
        workerWallet: HIRER,
        state: 'funded',
        allocated: 0n,
        escrowAddress: ESCROW,
        ...node,
      }),
    },
    quotes,
    {
      choose: async (payment: never) =>
        below.length === 0 ? source(payment, 'authorization') : source(payment, 'refund_balance', below),
      fromParentNode: (payment: never) => source(payment, 'parent_node'),
      tryOut: async () => undefined,
    },
    ends,
    { chainId: Number(vector.domain.chainId), usdcAddress: TOKEN },
  ] as unknown as ConstructorParameters<typeof Subcontract>;
  return new Subcontract(...dependencies);
}

function check(own: Own = {}, asked: { acceptWindowSeconds?: number; fundingMode?: 'permit' } = {}) {
  return kind(own).check(
    { accountId: 'acct_w', walletAddress: HIRER, requestDigest: fields.requestDigest },
    { taskId: 'task_1', nodeId: 'node_1', quoteId: 'quote_1', acceptWindowSeconds: WINDOW, ...asked },
  );
}

describe('hiring under a node', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const typedData = (await (await check()).confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
  });

  it("pays with the token's authorisation over that same digest, where the hirer brings the money", async () => {
    const ready = await (await check({ quote: { hirerFunded: true } })).confirm();
    const signed = ready.typedData(fields);
    expect([signed.primaryType, signed.message['from']]).toEqual(['ReceiveWithAuthorization', HIRER]);
    expect(ready.directCalls(fields)).toEqual([]);
  });

  it("brings in the price out of the hirer's own money, or nothing out of the node's", async () => {
    expect((await check({ quote: { hirerFunded: true } })).ownMoney).toBe(PRICE);
    expect((await check()).ownMoney).toBe(0n);
  });

  it.each([
    ['suspended', 'The operator has suspended the agent of this quote.'],
    ['inactive', null],
  ])('takes the offer of an agent unless the operator has suspended it: %s', async (agentStatus, reason) => {
    const refusal = await check({ agentStatus }).then(
      () => null,
      (error: Error) => error.message,
    );
    expect(refusal).toBe(reason);
  });

  it("is one direct call with the worker's signature and none of the hirer", async () => {
    const checked = await check();
    const [direct, ...more] = (await checked.confirm()).directCalls(fields);
    expect([direct?.to, more]).toEqual([ESCROW, []]);
    const call = escrow.parseTransaction({ data: direct?.data ?? '0x' });
    const [, mode, hirerAuth, workerAuth, permit] = call!.args;
    expect([call!.name, mode, permit]).toEqual(['subcontract', 4n, '0x']);
    expect([...hirerAuth]).toEqual([fields.actionId, fields.requestDigest, fields.nonce, fields.validUntil, '0x']);
    expect([workerAuth.nonce, workerAuth.validUntil, workerAuth.signature]).toEqual([3n, BigInt(NOW), '0x1234']);
    expect(checked.triedCalls(fields)).toEqual([expect.objectContaining({ from: HIRER, data: direct?.data })]);
    expect(checked).toMatchObject({ nodeId: 'node_1', scope: 'worker', signer: HIRER });
    expect(checked.details).toEqual({ funding_mode: 'parent_node', quote_id: 'quote_1' });
    expect(checked.nonce).toBe(PATH << 8n);
  });

  it.each<[string, Own, string]>([
    [
      'another worker, whatever else',
      { node: { workerAccountId: 'acct_x', state: 'released' }, quote: null },
      'not_node_worker',
    ],
    ['no quote', { quote: null, node: { state: 'released' } }, 'not_found'],
    ['a quote to somebody else', { quote: { payerAccountId: 'acct_x' } }, 'not_found'],
    ['an unsigned quote', { quote: { status: 'pending_signature' } }, 'not_found'],
    ['a node in another state', { node: { state: 'delivered' } }, 'node_not_funded'],
    ['a quote under another node', { quote: { nodePath: (2n << 24n) | 1n } }, 'state_conflict'],
    ['a quote that ended a second ago', { now: NOW + 1 }, 'quote_expired'],
    ['a withdrawn quote', { quote: { status: 'withdrawn' } }, 'state_conflict'],
    ['other terms', { task: { termsHash: '0x12' } }, 'terms_mismatch'],
    ['no such node on the chain', { parent: null }, 'node_not_funded'],
    ['a delivered node on the chain', { parent: { state: NodeState.Delivered } }, 'node_not_funded'],
    ['another wallet on the chain', { parent: { worker: TOKEN } }, 'wallet_mismatch'],
    ['a quote that was taken up', { child: {} }, 'state_conflict'],
    ['a node that ends before its child', { parent: { deliverBy: DELIVER_BY - 1 } }, 'nesting_violation'],
    ['a node whose time is over', { parent: { deliverBy: NOW } }, 'window_closed'],
    ['a unit of the floor too little', { parent: { allocated: 2n } }, 'insufficient_unallocated'],
  ])('is refused with %s', async (_what, own, code) => {
    await expect(check(own)).rejects.toMatchObject({ code });
  });

  it('finalizes first as few of the nodes that time has ended as the price needs', async () => {
    const own = { parent: { allocated: 4n }, ended: [2n, 1n, 9n] };
    const checked = await check(own);
    const [direct] = (await checked.confirm()).directCalls(fields);
    const [first, second] = [0, 1].map((index) => encodeFinalize(endedPath(index)));
    const calls = escrow.parseTransaction({ data: direct?.data ?? '0x' })!.args['calls'];
    expect([calls.length, calls[0], calls[1]]).toEqual([3, first, second]);
    expect(escrow.parseTransaction({ data: calls[2] })!.name).toBe('subcontract');
    expect(checked.triedCalls(fields).map(({ data }) => data)).toEqual([first, second]);
    const { details } = checked;
    const action = { escrowAddress: ESCROW, payload: { message }, details } as unknown as PreparedActionEntity;
    const { data } = await kind(own).signedCall(action, '0xabcd');
    expect(escrow.parseTransaction({ data })!.args['calls'][1]).toBe(second);
  });

  it("finalizes first what has come back to the hirer's wallet, where that pays", async () => {
    const own = { quote: { hirerFunded: true }, ended: [2n, 1n] };
    const checked = await check(own);
    expect(checked.details).toMatchObject({ funding_mode: 'refund_balance', unwritten_nodes: expect.any(String) });
    const [direct] = (await checked.confirm()).directCalls(fields);
    const [first, second, third] = escrow.parseTransaction({ data: direct?.data ?? '0x' })!.args['calls'];
    const firsts = [0, 1].map((index) => encodeFinalize(endedPath(index)));
    expect([first, second]).toEqual(firsts);
    const [, mode, hirerAuth] = escrow.parseTransaction({ data: third })!.args;
    expect([mode, hirerAuth.signature]).toEqual([3n, '0x']);
    expect(checked.triedCalls(fields).map(({ data }) => data)).toEqual(firsts);
    const action = { escrowAddress: ESCROW, payload: { message }, details: checked.details };
    const { data } = await kind(own).signedCall(action as unknown as PreparedActionEntity, '0xabcd');
    expect(escrow.parseTransaction({ data })!.args['calls'].slice(0, 2)).toEqual(firsts);
  });

  it.each<[string, Own, object]>([
    ['less comes back than the price needs', { ended: [2n] }, { code: 'insufficient_unallocated' }],
    [
      'one call cannot finalize enough',
      { ended: [2n, ...Array.from({ length: 20 }, () => 0n)] },
      { code: 'insufficient_unallocated', suggestion: expect.stringContaining('finalize') },
    ],
    [
      'the worker has withdrawn the quote',
      { ended: [3n], fault: { revert: { name: 'NonceUsed', args: { signer: terms['worker'] } } } },
      { code: 'state_conflict', message: expect.stringContaining('withdrawn') },
    ],
    [
      'it would fail for another reason',
      { ended: [3n], fault: { revert: { name: 'AncestorClosed', args: {} } } },
      { code: 'state_conflict', message: expect.stringContaining('went back') },
    ],
  ])('is refused when %s', async (_what, own, refusal) => {
    const refused = check({ parent: { allocated: 4n }, ...own }).then((checked) => checked.confirm());
    await expect(refused).rejects.toMatchObject(refusal);
  });

  it('is refused with another accept window, and says which one was signed', async () => {
    const refusal = { code: 'terms_mismatch', suggestion: expect.stringContaining(`${WINDOW}`) };
    await expect(check({}, { acceptWindowSeconds: WINDOW + 1 })).rejects.toMatchObject(refusal);
  });

  it('takes no way of paying beside the one that was agreed on', async () => {
    await expect(check({}, { fundingMode: 'permit' })).rejects.toMatchObject({ code: 'state_conflict' });
    const free = { quote: { hirerFunded: true }, parent: { floor: 0n, allocated: 0n } };
    await expect(check(free)).resolves.toMatchObject({ details: { funding_mode: 'authorization' } });
  });

  it('is superseded by every state of the node but funded', () => {
    const states = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded', null] as const;
    const superseded = states.map((nodeState) => kind().isSupersededBy({ nodeState, taskStatus: 'funded' }));
    expect(superseded).toEqual([false, true, true, true, true, true, true]);
  });
});

describe('the signed call', () => {
  const action = {
    escrowAddress: ESCROW,
    payload: { message },
    details: { funding_mode: 'parent_node', quote_id: 'quote_1' },
  };

  it('is that of the direct one with the signature in it', async () => {
    const call = await kind().signedCall(action as unknown as PreparedActionEntity, '0xabcd');
    const [signedTerms, mode, hirerAuth] = escrow.parseTransaction({ data: call.data })!.args;
    expect([call.to, call.from, mode, hirerAuth.signature]).toEqual([ESCROW, undefined, 4n, '0xabcd']);
    expect(signedTerms.amount).toBe(PRICE);
  });

  it.each([
    ['gone', null],
    ['no longer signed', { signature: null }],
  ])('is refused when the quote is %s', async (_what, quote) => {
    const signed = kind({ quote }).signedCall(action as unknown as PreparedActionEntity, '0xabcd');
    await expect(signed).rejects.toMatchObject({ code: 'state_conflict' });
  });
});
