import { NodeState } from '#libs/contracts';
import type { CallOutcome } from '../../../platform/chain/chain-client.js';
import type { TransferFault } from '../../../platform/chain/usdc-token.js';
import type { FundingModeName } from './funding-source.js';
import { FundingSources } from './funding-sources.js';
import { PendingFinalizations } from './pending-finalizations.js';
import { quoteRefusalOf } from '../checks/quote-refusals.js';

const WORKER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYMENT = { escrowAddress: '0x12', payer: '0x34', amount: 100n } as const;

interface Facts {
  code: string;
  refund: bigint;
  balance: bigint;
  fault: TransferFault | null;
  outcome: CallOutcome;
  /** What nodes give back once they are finalized, base units by path. */
  ended: Readonly<Record<string, bigint>>;
}

function sources(own: Partial<Facts> = {}): FundingSources {
  const success: CallOutcome = { reverted: false, data: '0x' };
  const facts: Facts = { code: '0x', refund: 0n, balance: 100n, fault: null, outcome: success, ended: {}, ...own };
  const dependencies = [
    { codeAt: async () => facts.code, refundOf: async () => facts.refund, rawCall: async () => facts.outcome },
    {
      balanceOf: async () => facts.balance,
      allowance: async () => 0n,
      permitNonce: async () => 0n,
      transferFault: async () => facts.fault,
    },
    { usdcDomain: {} },
    { ofTask: async () => Object.keys(facts.ended).map((path) => ({ ...LAPSED, path: BigInt(path) })) },
    new PendingFinalizations(
      ...([
        { nodeAt: async (_: string, path: bigint) => nodeOf(facts.ended[`${path}`]) },
        { nowSeconds: () => 2 },
        {},
      ] as unknown as ConstructorParameters<typeof PendingFinalizations>),
    ),
    { nowSeconds: () => 2 },
  ] as unknown as ConstructorParameters<typeof FundingSources>;
  return new FundingSources(...dependencies);
}

const HIRER = { accountId: 'acct_w', taskId: 'task_1' };
/** A node that was rejected for good, as the index has it. */
const LAPSED = { hirerWallet: PAYMENT.payer, state: 'rejected', clock: 1, returned: 1n };
/** The same as the chain has it. */
const nodeOf = (amount: bigint | undefined) =>
  amount === undefined ? null : { state: NodeState.Rejected, clock: 1, amount, floor: 0n };

function reverted(name: string, args: Record<string, string | bigint> = {}): CallOutcome {
  return { reverted: true, revert: { name, args }, data: '0x' };
}

function tryOut(outcome: CallOutcome): Promise<void> {
  const call = { from: '0x34', to: '0x12', data: '0x' } as const;
  return sources({ outcome }).tryOut(call, (revert) => quoteRefusalOf(revert, WORKER));
}

describe('the mode of a payment', () => {
  it.each<[string, Partial<Facts>, FundingModeName]>([
    ['a key', {}, 'authorization'],
    ['a wallet with code', { code: '0x60' }, 'allowance'],
    ['a refund balance that is exactly enough', { refund: 100n }, 'refund_balance'],
    [
      'a refund balance and a wallet that holds nothing',
      { refund: 101n, balance: 0n, fault: 'refused' },
      'refund_balance',
    ],
    ['a refund balance that lacks a unit', { refund: 99n }, 'authorization'],
  ])('fits %s', async (_what, facts, name) => {
    expect((await sources(facts).choose(PAYMENT)).name).toBe(name);
  });

  it.each<[string, bigint, Partial<Facts>, FundingModeName, bigint[]]>([
    ['enough with what is there', 40n, {}, 'refund_balance', [2n, 3n]],
    ['not needed', 100n, {}, 'refund_balance', []],
    ['a unit too little', 39n, {}, 'authorization', []],
    ['finalized meanwhile', 60n, { ended: { 3: 30n } }, 'authorization', []],
  ])('counts what time has sent back to the wallet: %s', async (_what, refund, facts, name, finalized) => {
    const all = { ended: { 2: 50n, 3: 10n, 4: 0n }, refund, ...facts };
    const source = await sources(all).choose(PAYMENT, undefined, HIRER);
    expect([source.name, source.unwritten]).toEqual([name, finalized]);
  });

  it('finalizes nothing for another mode, and as few nodes as a refund balance needs', async () => {
    const facts = { ended: { 2: 50n, 3: 50n, 4: 50n }, refund: 10n };
    const chosen = async (mode: FundingModeName) => (await sources(facts).choose(PAYMENT, mode, HIRER)).unwritten;
    expect([await chosen('authorization'), await chosen('refund_balance')]).toEqual([[], [2n, 3n]]);
    const refused = sources({ ended: { 2: 50n }, refund: 10n }).choose(PAYMENT, 'refund_balance', HIRER);
    await expect(refused).rejects.toMatchObject({ reason: expect.stringContaining('0.00004 USDC too small') });
  });

  it('leaves what has come back to another wallet, and is not looked for where nobody has hired', async () => {
    const facts = { ended: { 2: 100n } };
    const other = { ...PAYMENT, payer: '0x56' } as const;
    expect((await sources(facts).choose(other, undefined, HIRER)).name).toBe('authorization');
    expect((await sources(facts).choose(PAYMENT)).name).toBe('authorization');
  });

  it('is the one that the request names', async () => {
    expect((await sources({ code: '0x60', refund: 500n }).choose(PAYMENT, 'authorization')).name).toBe('authorization');
  });
});

describe('a payment that would not move', () => {
  it.each<[string, Partial<Facts>, string]>([
    ['a paused token', { fault: 'paused', balance: 0n }, 'paused'],
    ['a blocked account', { fault: 'blocked', balance: 0n }, 'deny list'],
    ['a unit too little', { fault: 'refused', balance: 99n }, '0.000001 USDC are missing'],
    ['anything else', { fault: 'refused' }, 'would refuse'],
  ])('is refused with the reason: %s', async (_what, facts, reason) => {
    const refusal = { code: 'state_conflict', status: 409, reason: expect.stringContaining(reason) };
    await expect(sources(facts).choose(PAYMENT)).rejects.toMatchObject(refusal);
  });

  it('is refused where the named refund balance is too small', async () => {
    await expect(sources({ refund: 99n }).choose(PAYMENT, 'refund_balance')).rejects.toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('0.000001 USDC too small'),
    });
  });
});

describe('a trial', () => {
  it('passes when it succeeds, and when only the allowance is missing, by either token', async () => {
    const real = reverted('Error', { value: 'ERC20: transfer amount exceeds allowance' });
    for (const outcome of [{ reverted: false, data: '0x' }, reverted('ERC20InsufficientAllowance'), real] as const) {
      await expect(tryOut(outcome)).resolves.toBeUndefined();
    }
  });

  it.each<[string, CallOutcome, string]>([
    ['the quote is over', reverted('ActionExpired'), 'quote_expired'],
    ['the worker has used its nonce', reverted('NonceUsed', { signer: WORKER }), 'state_conflict'],
    ['the worker did not sign', reverted('InvalidSignature', { signer: WORKER }), 'state_conflict'],
    ['somebody else did not sign', reverted('InvalidSignature', { signer: '0x34' }), 'wallet_mismatch'],
    ['the node has moved on', reverted('WrongNonce'), 'state_conflict'],
    [
      'the token says another text',
      reverted('Error', { value: 'ERC20: transfer amount exceeds balance' }),
      'state_conflict',
    ],
    ['nothing is said', { reverted: true, revert: null, data: '0x' }, 'state_conflict'],
  ])('is refused when %s', async (_what, outcome, code) => {
    await expect(tryOut(outcome)).rejects.toMatchObject({ code, status: 409 });
  });
});
