import {
  contractCall,
  encodeAbandonNode,
  encodeClaimNonDelivery,
  encodeCreateTree,
  encodeFinalize,
  encodeFundTask,
  encodeMulticall,
  encodeSelectAgent,
  encodeWithdrawEarnings,
  FundingMode,
  senderAuth,
  taskEscrowAbi,
  taskEscrowFactoryAbi,
  treeIdOf,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { Interface } from 'ethers';
import {
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
import type { ProposedCall } from '../document/prepared-action.js';
import { verifySignedCall } from './signed-call.js';

const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;

function authOf(name: Parameters<typeof signable>[0], signature: Hex = SIGNATURE) {
  const payload: any = signable(name).action.payload;
  const { actionId, requestDigest, nonce, validUntil } = (payload.authorizes ?? payload).message;
  return { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil), signature };
}
const verdict = (name: Parameters<typeof signable>[0], call: ProposedCall, signature: Hex = SIGNATURE) =>
  verifySignedCall(call, signable(name).action, signature, DEPLOYMENT).status;
const onEscrow = (data: Hex): ProposedCall => contractCall(ESCROW, data);

test('the call of a signed action carries its message and its signature', () => {
  expect(verdict('abandon_node', onEscrow(encodeAbandonNode(1, authOf('abandon_node'))))).toBe('passed');
});

test.each<[string, ProposedCall]>([
  ['another signature', onEscrow(encodeAbandonNode(1, authOf('abandon_node', `0x${'5b'.repeat(65)}`)))],
  ['no signature', onEscrow(encodeAbandonNode(1, senderAuth(authOf('abandon_node'))))],
  ['another node', onEscrow(encodeAbandonNode(2, authOf('abandon_node')))],
  ['another nonce', onEscrow(encodeAbandonNode(1, { ...authOf('abandon_node'), nonce: 8n }))],
  ['another end', onEscrow(encodeAbandonNode(1, { ...authOf('abandon_node'), validUntil: 1n }))],
  ['another function', onEscrow(encodeClaimNonDelivery(1, WORKER, authOf('abandon_node')))],
  ['another contract', { ...onEscrow(encodeAbandonNode(1, authOf('abandon_node'))), to: OTHER }],
  ['ether', { ...onEscrow(encodeAbandonNode(1, authOf('abandon_node'))), value: '0x1' }],
  ['another sender', { ...onEscrow(encodeAbandonNode(1, authOf('abandon_node'))), from: OTHER }],
  ['another chain', { ...onEscrow(encodeAbandonNode(1, authOf('abandon_node'))), chainId: 1 }],
  [
    'a second action',
    onEscrow(
      encodeMulticall([
        encodeClaimNonDelivery(1, WORKER, authOf('abandon_node')),
        encodeAbandonNode(1, authOf('abandon_node')),
      ]),
    ),
  ],
  ['data that is none', { to: ESCROW, data: '0x5d821bd9zz' }],
])('a call with %s is refused', (_what, call) => {
  expect(verdict('abandon_node', call)).toBe('failed');
});

test('an EIP-3009 payment may carry what opens the tree, and nothing else', () => {
  const auth = authOf('fund_task by EIP-3009');
  const payment = encodeFundTask(1, { mode: FundingMode.Authorization3009 }, auth);
  const { terms } = (signable('select_agent').action.payload as any).message;
  const selection = encodeSelectAgent(terms, authOf('select_agent'), authOf('submit_quote'));
  const tree = { ...TREE, treeId: treeIdOf(TASK) };
  const via = (calls: Hex[], parts = tree) => contractCall(DEPLOYMENT.factory, encodeCreateTree(parts, calls));
  expect(verdict('fund_task by EIP-3009', via([selection, payment]))).toBe('passed');
  expect(verdict('fund_task by EIP-3009', via([payment, selection]))).toBe('failed');
  expect(verdict('fund_task by EIP-3009', via([payment], { ...tree, arbiter: OTHER }))).toBe('failed');
  expect(verdict('fund_task by EIP-3009', via([payment], { ...tree, treeId: treeIdOf('task_2') }))).toBe('failed');
  const otherMode = encodeFundTask(1, { mode: FundingMode.Allowance }, auth);
  expect(verdict('fund_task by EIP-3009', via([selection, otherMode]))).toBe('failed');
});

test('a permit is used by its owner alone, and stands where the contract looks for it', () => {
  const { action } = signable('fund_task by permit');
  const { deadline } = (action.payload as any).message;
  const auth = {
    ...authOf('abandon_node'),
    requestDigest: action.request_digest as Hex,
    validUntil: BigInt(deadline),
    signature: '0x' as Hex,
  };
  const call = onEscrow(encodeFundTask(1, { mode: FundingMode.Permit, permit: SIGNATURE }, auth));
  expect(verdict('fund_task by permit', { ...call, from: BUYER })).toBe('passed');
  expect(verdict('fund_task by permit', call)).toBe('failed');
  expect(verdict('fund_task by permit', { ...call, from: OTHER })).toBe('failed');
});

test('what time has decided may be written down before a withdrawal; the destination is the signed one', () => {
  const auth = authOf('withdraw_earnings');
  const paid = (to: string, amount: bigint) => encodeWithdrawEarnings(1, to, amount, auth);
  expect(verdict('withdraw_earnings', onEscrow(encodeMulticall([encodeFinalize(2), paid(WORKER, PRICE)])))).toBe(
    'passed',
  );
  expect(verdict('withdraw_earnings', onEscrow(paid(OTHER, PRICE)))).toBe('failed');
  expect(verdict('withdraw_earnings', onEscrow(paid(WORKER, PRICE - 1n)))).toBe('failed');
});

test('a smart wallet signs with bytes of any length, but never with none', () => {
  const long: Hex = `0x${'77'.repeat(500)}`;
  const call = onEscrow(encodeAbandonNode(1, authOf('abandon_node', long)));
  expect(verdict('abandon_node', call, long)).toBe('passed');
  expect(verdict('abandon_node', onEscrow(encodeAbandonNode(1, senderAuth(authOf('abandon_node')))), '0x')).toBe(
    'failed',
  );
});

test('every function that is decoded here has the selector and the names of the contract', () => {
  const escrow = new Interface(taskEscrowAbi);
  const names = [
    'createTask',
    'selectAgent',
    'fundTask',
    'subcontract',
    'deliver',
    'resolveTask',
    'rejectTask',
    'abandonNode',
  ].concat(['claimNonDelivery', 'disputeNode', 'withdrawEarnings', 'withdrawRefund', 'finalize', 'multicall']);
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
