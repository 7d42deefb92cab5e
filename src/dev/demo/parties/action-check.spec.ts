import {
  type ActionFields,
  actionIdHash,
  escrowTypedData,
  FundingMode,
  nodeNonce,
  type NodeTerms,
  typedDataDigest,
  usdcTypedData,
} from '#libs/contracts';
import { type Hex, requestDigest } from '#libs/kernel';
import { type Asker, checkAction, digestToSign, type Meaning, type PreparedAction } from './action-check.js';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const asker: Asker = {
  accountId: 'acct_1',
  wallet: address('1'),
  chainId: 31_337,
  usdc: address('2'),
  factory: address('6'),
  implementation: address('9'),
  origin: 'http://127.0.0.1:3000',
  nowMs: Date.now(),
};
const END = Math.floor(Date.now() / 1000) + 900;
const TASK = 'task_01kb3n2w4m6p8r0t2v4x6z8b0d';
const NODE = 'node_01kb3n2w4m6p8r0t2v4x6z8b0d_1';
const body = { note: 'as it was sent' };
const meaning: Meaning<'AbandonNode'> = {
  kind: 'abandon_node',
  escrow: address('3'),
  taskId: TASK,
  nodeId: NODE,
  type: 'AbandonNode',
  own: { nodeId: 1n, token: asker.usdc, amount: 5_000_000n },
};
const fields: ActionFields = {
  actionId: actionIdHash('act_1'),
  requestDigest: requestDigest(body),
  nonce: nodeNonce(1n, 1),
  validUntil: BigInt(END + 60),
};

function prepared(
  payload: object = escrowTypedData(
    'AbandonNode',
    { chainId: 31_337, escrowAddress: meaning.escrow },
    { ...meaning.own, ...fields },
  ),
): PreparedAction {
  const action = {
    action_id: 'act_1',
    kind: 'abandon_node',
    principal: 'acct_1',
    wallet_address: asker.wallet,
    task_id: TASK,
    node_id: NODE,
    chain_id: 31_337,
    escrow_address: meaning.escrow,
    nonce: nodeNonce(1n, 1).toString(),
    request_digest: requestDigest(body),
    signing_url: 'http://127.0.0.1:3000/sign/9J2x0s4mJ5n7q3Y1c8b6e0R4t2v9w7z5A3d1F8g6H4k',
    expires_at: new Date(END * 1000).toISOString(),
    payload,
  };
  return JSON.parse(JSON.stringify(action));
}

describe('what the demo signs', () => {
  const check = (action: PreparedAction, own: Meaning = meaning): void => checkAction(action, asker, own, body);

  it('is only an action that matches the request exactly', () => {
    expect(() => check(prepared())).not.toThrow();
  });

  it('is hashed with the struct types of the payload', () => {
    const data = escrowTypedData(
      'AbandonNode',
      { chainId: 31_337, escrowAddress: meaning.escrow },
      { ...meaning.own, ...fields },
    );
    expect(digestToSign(prepared())).toBe(typedDataDigest(data));
  });

  it.each([
    ['kind', 'fund_task'],
    ['principal', 'acct_2'],
    ['wallet_address', address('4')],
    ['task_id', 'task_2'],
    ['node_id', 'node_2'],
    ['chain_id', 1],
    ['escrow_address', address('4')],
    ['request_digest', requestDigest({ note: 'another' })],
    ['action_id', 'act_2'],
    ['nonce', nodeNonce(1n, 2).toString()],
  ])('is no action with another %s', (member, value) => {
    expect(() => check({ ...prepared(), [member]: value })).toThrow(/not signing/i);
  });

  it.each([
    ['the amount', (action: PreparedAction) => (action.payload.message['amount'] = '5000001')],
    ['the node', (action: PreparedAction) => (action.payload.message['nodeId'] = '2')],
    ['the contract', (action: PreparedAction) => (action.payload.domain['verifyingContract'] = address('4'))],
    ['the chain', (action: PreparedAction) => (action.payload.domain['chainId'] = 1)],
    ['the end', (action: PreparedAction) => (action.payload.message['validUntil'] = String(END - 1))],
    ['a type', (action: PreparedAction) => (action.payload.types['AbandonNode']![2]!.type = 'uint128')],
    ['the name of the struct', (action: PreparedAction) => rename(action)],
    ['the primary type', (action: PreparedAction) => (action.payload.primaryType = 'Deliver')],
  ])('is no action whose typed data has %s changed', (_what, change) => {
    const action = prepared();
    change(action);
    expect(() => check(action)).toThrow(/not signing/i);
  });

  describe('for a payment', () => {
    const terms: NodeTerms = {
      nodeId: 1n,
      worker: address('5'),
      amount: 5_000_000n,
      floor: 2_500_000n,
      workSeconds: 86_400,
      acceptWindow: 259_200,
      maxRevisions: 3,
      hirerFunded: true,
      termsHash: requestDigest({}),
    };
    const own = { terms, token: asker.usdc, fundingMode: FundingMode.Authorization3009 };
    const payment: Meaning<'FundTask'> = { ...meaning, kind: 'fund_task', type: 'FundTask', own, pays: 5_000_000n };
    const nonce = nodeNonce(1n, 0);
    const escrow = { chainId: 31_337, escrowAddress: meaning.escrow };
    const action = escrowTypedData('FundTask', escrow, { ...own, ...fields, nonce });
    const authorization = (value: bigint, digest: Hex, validBefore = fields.validUntil + 1n): object =>
      usdcTypedData(
        'ReceiveWithAuthorization',
        { name: 'USD Coin', version: '2', chainId: 31_337, tokenAddress: asker.usdc },
        { from: asker.wallet, to: meaning.escrow, value, validAfter: 0n, validBefore, nonce: digest },
      );
    const paying = (payload: object): PreparedAction => ({
      ...prepared({ ...payload, authorizes: action }),
      kind: 'fund_task',
      nonce: nonce.toString(),
    });

    it('is a token authorisation with the digest of the action that it pays for', () => {
      expect(() => check(paying(authorization(5_000_000n, typedDataDigest(action))), payment)).not.toThrow();
    });

    it('is no token authorisation of another amount or for another action', () => {
      expect(() => check(paying(authorization(5_000_001n, typedDataDigest(action))), payment)).toThrow(/not signing/i);
      expect(() => check(paying(authorization(5_000_000n, actionIdHash('act_2'))), payment)).toThrow(/not signing/i);
    });

    it('is no token authorisation that ends at another second', () => {
      const sameSecond = authorization(5_000_000n, typedDataDigest(action), fields.validUntil);
      expect(() => check(paying(sameSecond), payment)).toThrow(/not signing/i);
    });

    it.each([
      ['floor', { ...own, terms: { ...terms, floor: 2_500_001n } }],
      ['time for the work', { ...own, terms: { ...terms, workSeconds: 86_401 } }],
      ['number of revisions', { ...own, terms: { ...terms, maxRevisions: 2 } }],
      ['funding mode', { ...own, fundingMode: FundingMode.Allowance }],
    ])('is none for another %s', (_what, others) => {
      const payload = authorization(5_000_000n, typedDataDigest(action));
      expect(() => check(paying(payload), { ...payment, own: others })).toThrow(/not signing/i);
    });
  });
});

function rename({ payload }: PreparedAction): void {
  payload.types['GiveUp'] = payload.types['AbandonNode'] ?? [];
  delete payload.types['AbandonNode'];
}
