import { Interface } from 'ethers';
import {
  actionIdHash,
  checksumAddress,
  escrowTypedData,
  FundingMode,
  localUsdcAbi,
  type TypedData,
  typedDataDigest,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { FUNDING_MODES, FundingSource, type PayerStanding, signedFunding, type SourceName } from './funding-source.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { fieldsOf, termsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const address = (digit: string): Hex => checksumAddress(`0x${digit.repeat(40)}`);
const [TOKEN, ESCROW, PAYER] = ['1', '2', '3'].map(address) as [Hex, Hex, Hex];
const SIGNATURE = `0x${'5a'.repeat(65)}` as const;
const ID = 'act_01k9q2m4t8v6w0y2z4a6c8e0g2';
const fields = {
  actionId: actionIdHash(ID),
  requestDigest: `0x${'cd'.repeat(32)}`,
  nonce: 7n,
  validUntil: 1_900_000_000n,
} as const;
const VECTOR = typedDataVector('FundTask');
const terms = termsOf(VECTOR);
const action = escrowTypedData(
  'FundTask',
  { chainId: 31337, escrowAddress: ESCROW },
  { terms, token: TOKEN, fundingMode: FundingMode.Authorization3009, ...fields },
);
const tokenDomain = { chainId: 31337, tokenAddress: TOKEN, name: 'USD Coin', version: '2' };
const call = { to: ESCROW, data: '0x12', value: '0x0' } as const;

function source(name: SourceName, standing: Partial<PayerStanding> = {}): FundingSource {
  const payment = { escrowAddress: ESCROW, payer: PAYER, amount: terms.amount };
  return new FundingSource(name, payment, { tokenDomain, allowance: 0n, permitNonce: 3n, ...standing });
}

/** The row of an action that was prepared with this payload. */
function row(name: SourceName | null, payload: TypedData): PreparedActionEntity {
  const details = name === null ? {} : { funding_mode: name };
  const { requestDigest, nonce } = fields;
  return { id: ID, requestDigest, nonce, walletAddress: PAYER, payload, details } as unknown as PreparedActionEntity;
}

describe('what is signed for a payment', () => {
  it("is the token's authorisation with the action's digest as its nonce, from its payer to the escrow alone", () => {
    const { primaryType, domain, message } = source('authorization').typedData(action, fields);
    expect([primaryType, domain.verifyingContract, domain.name]).toEqual([
      'ReceiveWithAuthorization',
      TOKEN,
      'USD Coin',
    ]);
    expect(message).toEqual({
      from: PAYER,
      to: ESCROW,
      value: '250123456',
      validAfter: '0',
      validBefore: '1900000001',
      nonce: typedDataDigest(action),
    });
  });

  it('hashes to the shared vectors of both contracts', () => {
    const pay = typedDataVector('ReceiveWithAuthorization');
    const { message, domain, digest } = VECTOR;
    const own = fieldsOf(VECTOR);
    const { token, fundingMode } = message;
    const { amount } = terms;
    const signed = { terms, token, fundingMode: Number(fundingMode), ...own };
    const tree = { chainId: 31337, escrowAddress: domain.verifyingContract };
    const data = escrowTypedData('FundTask', tree, signed);
    expect(typedDataDigest(data)).toBe(digest);
    const payment = { escrowAddress: domain.verifyingContract, payer: pay.message.from, amount };
    const standing = { tokenDomain: { ...tokenDomain, tokenAddress: token }, allowance: 0n, permitNonce: 0n };
    const paying = new FundingSource('authorization', payment, standing).typedData(data, own);
    expect(typedDataDigest(paying)).toBe(pay.digest);
  });

  it("is the token's permit with the payer's next permit number", () => {
    const { primaryType, message, authorizes } = source('permit').typedData(action, fields);
    // Without it nobody could compare the terms of the call, which the wallet sends without signing them.
    expect(authorizes).toBe(action);
    const members = { owner: PAYER, spender: ESCROW, value: '250123456', nonce: '3', deadline: '1900000000' };
    expect([primaryType, message]).toEqual(['Permit', members]);
  });

  it.each(['allowance', 'refund_balance', 'parent_node'] as const)('is the action itself by %s', (name) => {
    expect(source(name).typedData(action, fields)).toBe(action);
  });
});

describe('what the payer sends by itself', () => {
  it.each(['authorization', 'permit'] as const)('is nothing by %s, and an allowance stands in for a trial', (name) => {
    expect(source(name).directCalls([call])).toEqual([]);
    expect(source(name).isReady).toBe(false);
    expect(source(name).trialFunding).toEqual({ mode: FundingMode.Allowance });
  });

  it('is an approval of exactly the amount first, where the allowance lacks a unit', () => {
    const lacking = source('allowance', { allowance: terms.amount - 1n });
    const [approval, next, ...more] = lacking.directCalls([call]);
    const parsed = new Interface(localUsdcAbi).parseTransaction({ data: approval?.data ?? '0x' });
    expect([approval?.to, parsed?.name, parsed?.args.toArray()]).toEqual([TOKEN, 'approve', [ESCROW, terms.amount]]);
    expect([next, more, lacking.isReady]).toEqual([call, [], false]);
    const enough = source('allowance', { allowance: terms.amount });
    expect([enough.directCalls([call]), enough.isReady]).toEqual([[call], true]);
  });

  it.each([
    ['refund_balance', FundingMode.RefundBalance],
    ['parent_node', FundingMode.ParentNode],
  ] as const)('is the call alone by %s', (name, mode) => {
    expect(source(name).directCalls([call])).toEqual([call]);
    expect([source(name).funding, source(name).trialFunding]).toEqual([{ mode }, { mode }]);
  });
});

describe('a signed payment, rebuilt from its row', () => {
  it.each([...FUNDING_MODES, 'parent_node'] as const)('has the fields that were signed, by %s', (name) => {
    const { auth, funding, sender } = signedFunding(row(name, source(name).typedData(action, fields)), SIGNATURE);
    expect(auth).toEqual({ ...fields, signature: name === 'permit' ? '0x' : SIGNATURE });
    expect(funding).toEqual({ ...source(name).funding, ...(name === 'permit' ? { permit: SIGNATURE } : {}) });
    expect(sender).toBe(name === 'permit' ? PAYER : null);
  });

  it('is refused for a row that does not say where the money comes from', () => {
    expect(() => signedFunding(row(null, action), SIGNATURE)).toThrow(TypeError);
    expect(() => signedFunding(row('toString' as SourceName, action), SIGNATURE)).toThrow(TypeError);
  });

  it('is refused for a payload that is not of its mode', () => {
    expect(() => signedFunding(row('authorization', action), SIGNATURE)).toThrow(TypeError);
    const payment = source('authorization').typedData(action, fields);
    expect(() => signedFunding(row('allowance', payment), SIGNATURE)).toThrow(TypeError);
  });
});
