import {
  contractCall,
  encodeAbandonNode,
  encodeClaimNonDelivery,
  encodeCreateTree,
  encodeDeliver,
  encodeFinalize,
  encodeFundTask,
  encodeMulticall,
  encodeWithdrawEarnings,
  type Funding,
  FundingMode,
  type NodeTerms,
  senderAuth,
  taskEscrowAbi,
  taskEscrowFactoryAbi,
  treeIdOf,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { Interface } from 'ethers';
import { notKept } from '../../../../test/support/vectors.js';
import {
  ARTIFACT,
  BUYER,
  DEPLOYMENT,
  ESCROW,
  OTHER,
  PRICE,
  signable,
  TASK,
  TREE,
  WORKER,
} from '../../../../test/support/signable-actions.js';
import { decodeCall } from '../typed-data/call-data.js';
import type { CheckStatus, PreparedAction, ProposedCall } from '../document/prepared-action.js';
import { verifySignedCall } from './signed-call.js';

const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;

function authOf(name: Parameters<typeof signable>[0], signature: Hex = SIGNATURE) {
  const payload: any = signable(name).action.payload;
  const { actionId, requestDigest, nonce, validUntil } = (payload.authorizes ?? payload).message;
  return { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil), signature };
}
/** The call of a payment, with other terms or another way to pay where these are named. */
function paid(
  name: 'fund_task by EIP-3009' | 'fund_task by permit',
  changed: Partial<NodeTerms> = {},
  funding: Funding = { mode: FundingMode.Authorization3009 },
): Hex {
  const auth = funding.mode === FundingMode.Permit ? authOf(name, '0x') : authOf(name);
  const terms: any = (signable('select_agent').action.payload as any).message.terms;
  return encodeFundTask({ ...terms, ...changed }, funding, auth, authOf('submit_quote'));
}
/** Every call that was judged, for verifiers in other languages. */
const judged: { name: string; call: ProposedCall; action: PreparedAction; signature: Hex; status: CheckStatus }[] = [];
function judge(call: ProposedCall, action: PreparedAction, signature: Hex = SIGNATURE): CheckStatus {
  const { status } = verifySignedCall(call, action, signature, DEPLOYMENT);
  judged.push({ name: `${expect.getState().currentTestName} ${judged.length}`, call, action, signature, status });
  return status;
}
const verdict = (name: Parameters<typeof signable>[0], call: ProposedCall, signature: Hex = SIGNATURE) =>
  judge(call, signable(name).action, signature);
const onEscrow = (data: Hex): ProposedCall => contractCall(ESCROW, data);

test('the call of a signed action carries its message and its signature', () => {
  expect(verdict('abandon_node', onEscrow(encodeAbandonNode(1n, authOf('abandon_node'))))).toBe('passed');
});

test.each<[string, ProposedCall]>([
  ['another signature', onEscrow(encodeAbandonNode(1n, authOf('abandon_node', `0x${'5b'.repeat(65)}`)))],
  ['no signature', onEscrow(encodeAbandonNode(1n, senderAuth(authOf('abandon_node'))))],
  ['another node', onEscrow(encodeAbandonNode(2n, authOf('abandon_node')))],
  ['another nonce', onEscrow(encodeAbandonNode(1n, { ...authOf('abandon_node'), nonce: 8n }))],
  ['another end', onEscrow(encodeAbandonNode(1n, { ...authOf('abandon_node'), validUntil: 1n }))],
  ['another function', onEscrow(encodeClaimNonDelivery(1n, WORKER, authOf('abandon_node')))],
  ['another contract', { ...onEscrow(encodeAbandonNode(1n, authOf('abandon_node'))), to: OTHER }],
  ['ether', { ...onEscrow(encodeAbandonNode(1n, authOf('abandon_node'))), value: '0x1' }],
  ['another sender', { ...onEscrow(encodeAbandonNode(1n, authOf('abandon_node'))), from: OTHER }],
  ['another chain', { ...onEscrow(encodeAbandonNode(1n, authOf('abandon_node'))), chainId: 1 }],
  [
    'a second action',
    onEscrow(
      encodeMulticall([
        encodeClaimNonDelivery(1n, WORKER, authOf('abandon_node')),
        encodeAbandonNode(1n, authOf('abandon_node')),
      ]),
    ),
  ],
  ['data that is none', { to: ESCROW, data: '0x2d4398a3zz' }],
])('a call with %s is refused', (_what, call) => {
  expect(verdict('abandon_node', call)).toBe('failed');
});

test('an EIP-3009 payment may come with what deploys the tree, and nothing else', () => {
  const name = 'fund_task by EIP-3009';
  const tree = { ...TREE, treeId: treeIdOf(TASK) };
  const via = (call: Hex, parts = tree) => contractCall(DEPLOYMENT.factory, encodeCreateTree(parts, call));
  const payment = paid(name);
  expect(verdict(name, via(payment))).toBe('passed');
  expect(verdict(name, onEscrow(payment))).toBe('passed');
  expect(verdict(name, via(payment, { ...tree, arbiter: OTHER }))).toBe('failed');
  expect(verdict(name, via(payment, { ...tree, treeId: treeIdOf('task_2') }))).toBe('failed');
  expect(verdict(name, via(encodeMulticall([encodeAbandonNode(1n, authOf(name)), payment])))).toBe('failed');
  expect(verdict(name, via(paid(name, {}, { mode: FundingMode.Allowance })))).toBe('failed');
});

test.each<[string, Partial<NodeTerms>]>([
  ['another node', { nodeId: 2n }],
  ['another worker', { worker: OTHER }],
  ['another price', { amount: PRICE - 1n }],
  ['another floor', { floor: 0n }],
  ['another time to work', { workSeconds: 3_600 }],
  ['another time to accept', { acceptWindow: 14_400 }],
  ['fewer revisions', { maxRevisions: 0 }],
  ['money of the node above', { hirerFunded: false }],
  ['other terms', { termsHash: `0x${'c'.repeat(64)}` }],
])('a payment with %s than was signed or shown is refused', (_what, terms) => {
  expect(verdict('fund_task by EIP-3009', onEscrow(paid('fund_task by EIP-3009', terms)))).toBe('failed');
  // A permit signs no terms: the wallet that sends the call agrees to those that are in it.
  const call = onEscrow(paid('fund_task by permit', terms, { mode: FundingMode.Permit, permit: SIGNATURE }));
  expect(verdict('fund_task by permit', { ...call, from: BUYER })).toBe('failed');
});

test('a permit without the action that it is for has no call', () => {
  const { action } = signable('fund_task by permit');
  const { authorizes: _shown, ...payload } = action.payload;
  const data = paid('fund_task by permit', {}, { mode: FundingMode.Permit, permit: SIGNATURE });
  const call = { ...onEscrow(data), from: BUYER };
  expect(judge(call, action)).toBe('passed');
  expect(judge(call, { ...action, payload })).toBe('failed');
});

test('a delivery keeps to the way of payment that was signed', () => {
  const auth = authOf('deliver');
  expect(verdict('deliver', onEscrow(encodeDeliver(1n, ARTIFACT, true, auth)))).toBe('passed');
  expect(verdict('deliver', onEscrow(encodeDeliver(1n, ARTIFACT, false, auth)))).toBe('failed');
});

test('a permit is used by its owner alone, and stands where the contract looks for it', () => {
  const name = 'fund_task by permit';
  const pay = (permit: Hex = SIGNATURE) => onEscrow(paid(name, {}, { mode: FundingMode.Permit, permit }));
  expect(verdict(name, { ...pay(), from: BUYER })).toBe('passed');
  expect(verdict(name, pay())).toBe('failed');
  expect(verdict(name, { ...pay(), from: OTHER })).toBe('failed');
  expect(verdict(name, { ...pay(`0x${'5b'.repeat(65)}`), from: BUYER })).toBe('failed');
  expect(verdict(name, { ...pay('0x'), from: BUYER })).toBe('failed');
});

test('what time has decided may be written down before a withdrawal; the destination is the signed one', () => {
  const auth = authOf('withdraw_earnings');
  const withdrawn = (to: string, amount: bigint) => encodeWithdrawEarnings(1n, to, amount, auth);
  expect(verdict('withdraw_earnings', onEscrow(encodeMulticall([encodeFinalize(2n), withdrawn(WORKER, PRICE)])))).toBe(
    'passed',
  );
  expect(verdict('withdraw_earnings', onEscrow(withdrawn(OTHER, PRICE)))).toBe('failed');
  expect(verdict('withdraw_earnings', onEscrow(withdrawn(WORKER, PRICE - 1n)))).toBe('failed');
});

test('a smart wallet signs with bytes of any length, but never with none', () => {
  const long: Hex = `0x${'77'.repeat(500)}`;
  const call = onEscrow(encodeAbandonNode(1n, authOf('abandon_node', long)));
  expect(verdict('abandon_node', call, long)).toBe('passed');
  expect(verdict('abandon_node', onEscrow(encodeAbandonNode(1n, senderAuth(authOf('abandon_node')))), '0x')).toBe(
    'failed',
  );
});

test('all calls above are the vectors that are kept', () => {
  expect(judged.length).toBeGreaterThan(40);
  expect(
    notKept(
      'signed-calls.json',
      judged.map((one) => ({ ...one, deployment: DEPLOYMENT })),
    ),
  ).toEqual([]);
});

test('every function that is decoded here has the selector and the names of the contract', () => {
  const escrow = new Interface(taskEscrowAbi);
  const names = ['fundTask', 'subcontract', 'deliver', 'resolveTask', 'rejectTask', 'abandonNode'].concat([
    'claimNonDelivery',
    'disputeNode',
    'withdrawEarnings',
    'withdrawRefund',
    'finalize',
    'multicall',
  ]);
  for (const name of names) {
    const { selector, inputs } = escrow.getFunction(name)!;
    const data = selector + '0'.repeat(64 * 40);
    const call = decodeCall('escrow', data);
    expect(call?.name).toBe(name);
    expect(Object.keys(call?.args ?? {})).toEqual(inputs.map((input) => input.name));
  }
  const { selector } = new Interface(taskEscrowFactoryAbi).getFunction('createTree')!;
  expect(decodeCall('factory', selector + '0'.repeat(64 * 8))?.name).toBe('createTree');
  expect(decodeCall('escrow', '0x12345678')).toBeNull();
});
