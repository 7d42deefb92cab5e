import { id, Interface } from 'ethers';
import { actionIdHash, checksumAddress } from './addresses.js';
import * as encode from './encode.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';
import { FundingMode } from '../tree/node-states.js';
import type { NodeTerms } from '#libs/prepared-action';

const escrow = new Interface(taskEscrowAbi);
const factory = new Interface(taskEscrowFactoryAbi);
const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);

function auth(name: string): encode.ActionAuth {
  const fields = { actionId: actionIdHash(name), requestDigest: actionIdHash(`${name} body`) };
  return { ...fields, nonce: 7n, validUntil: 1_900_000_000n, signature: '0x1234' };
}
const hirer = auth('hirer');
const worker = auth('worker');
const terms: NodeTerms = {
  nodeId: 2,
  parentNodeId: 1,
  worker: account('worker'),
  amount: 5_000_000n,
  deliverBy: 1_893_456_000,
  acceptWindow: 172_800,
  hirerFunded: false,
  termsHash: id('terms'),
};
const flat = (value: encode.ActionAuth) => [
  value.actionId,
  value.requestDigest,
  value.nonce,
  value.validUntil,
  value.signature,
];
const flatTerms = [2n, 1n, terms.worker, 5_000_000n, 1_893_456_000n, 172_800n, false, terms.termsHash];
const permit = { mode: FundingMode.Permit, permit: '0xabcd' } as const;
const carve = { mode: FundingMode.ParentNode } as const;

const cases: Record<string, [data: string, args: unknown[]]> = {
  createTask: [encode.encodeCreateTask({ budget: 9n, termsHash: id('t') }, hirer), [9n, id('t'), flat(hirer)]],
  selectAgent: [encode.encodeSelectAgent(terms, hirer, worker), [flatTerms, flat(hirer), flat(worker)]],
  fundTask: [encode.encodeFundTask(1, permit, hirer), [1n, 2n, flat(hirer), '0xabcd']],
  subcontract: [
    encode.encodeSubcontract(terms, carve, hirer, worker),
    [flatTerms, 4n, flat(hirer), flat(worker), '0x'],
  ],
  deliver: [encode.encodeDeliver(2, id('a'), worker), [2n, id('a'), flat(worker)]],
  resolveTask: [encode.encodeResolveTask(2, id('a'), hirer), [2n, id('a'), flat(hirer)]],
  rejectTask: [encode.encodeRejectTask(2, id('a'), id('r'), hirer), [2n, id('a'), id('r'), flat(hirer)]],
  abandonNode: [encode.encodeAbandonNode(2, worker), [2n, flat(worker)]],
  claimNonDelivery: [encode.encodeClaimNonDelivery(2, account('any'), hirer), [2n, account('any'), flat(hirer)]],
  disputeNode: [encode.encodeDisputeNode(2, id('e'), worker), [2n, id('e'), flat(worker)]],
  ruleDispute: [encode.encodeRuleDispute(2, 3n, id('r'), hirer), [2n, 3n, id('r'), flat(hirer)]],
  agreeSplit: [encode.encodeAgreeSplit(2, 3n, hirer, worker), [2n, 3n, flat(hirer), flat(worker)]],
  finalize: [encode.encodeFinalize(2), [2n]],
  withdrawEarnings: [
    encode.encodeWithdrawEarnings(2, account('to'), 4n, worker),
    [2n, account('to'), 4n, flat(worker)],
  ],
  withdrawRefund: [
    encode.encodeWithdrawRefund(account('of'), account('to'), 4n, hirer),
    [account('of'), account('to'), 4n, flat(hirer)],
  ],
  invalidateNonces: [encode.encodeInvalidateNonces(1n, 2n ** 255n), [1n, 2n ** 255n]],
  multicall: [encode.encodeMulticall(['0x12', '0x']), [['0x12', '0x']]],
};

test('every function of the escrow that changes anything has an encoder', () => {
  const names: string[] = [];
  escrow.forEachFunction(({ name, stateMutability }) => {
    if (stateMutability === 'nonpayable') names.push(name);
  });
  expect(Object.keys(cases).sort()).toEqual(names.sort());
});

test.each(Object.entries(cases))('%s carries its arguments in the places of the contract', (name, [data, args]) => {
  expect(escrow.decodeFunctionData(name, data).toArray(true)).toEqual(args);
});

test('createTree carries the signed calls', () => {
  const tree = { buyer: account('buyer'), arbiter: account('arbiter'), treeId: id('tree') };
  const args = factory.decodeFunctionData('createTree', encode.encodeCreateTree(tree, ['0x1234']));
  expect(args.toArray(true)).toEqual([tree.buyer, tree.arbiter, tree.treeId, ['0x1234']]);
});

test("the token's own calls carry whom and how much", () => {
  const usdc = new Interface(localUsdcAbi);
  const args = [account('escrow'), 7n] as const;
  expect(usdc.decodeFunctionData('approve', encode.encodeTokenApprove(...args)).toArray()).toEqual(args);
  expect(usdc.decodeFunctionData('transfer', encode.encodeTokenTransfer(...args)).toArray()).toEqual(args);
});

test('a call is what a wallet sends: checksummed address, data, no ether', () => {
  const to = account('escrow');
  expect(encode.contractCall(to.toLowerCase(), '0x12')).toEqual({ to, data: '0x12', value: '0x0' });
});

test('the authorisation of a call by the signer itself has no signature', () => {
  expect(encode.senderAuth(hirer)).toEqual({ ...hirer, signature: '0x' });
});

test.each([
  ['a node id of 33 bits', () => encode.encodeFinalize(2 ** 32)],
  ['a short digest', () => encode.encodeDeliver(1, '0x12', worker)],
  ['a recipient that is no address', () => encode.encodeWithdrawEarnings(1, '0x12', 1n, worker)],
])('a call with %s is refused', (_what, make) => {
  expect(make).toThrow(/out-of-bounds|incorrect data length|invalid address/);
});

test.each([0, 1, 32, 65, 200])(
  'abandonNode with a signature of %i bytes is what a general encoder makes of it',
  (bytes) => {
    const signed = { ...worker, nonce: 2n ** 256n - 1n, signature: `0x${'aB'.repeat(bytes)}` as const };
    const general = escrow.encodeFunctionData('abandonNode', [2 ** 32 - 1, flat(signed)]);
    expect(encode.encodeAbandonNode(2 ** 32 - 1, signed)).toBe(general);
  },
);

test.each([
  ['a node id of 33 bits', () => encode.encodeAbandonNode(2 ** 32, worker)],
  ['a negative node id', () => encode.encodeAbandonNode(-1, worker)],
  ['half a node id', () => encode.encodeAbandonNode(1.5, worker)],
  ['a nonce of 257 bits', () => encode.encodeAbandonNode(1, { ...worker, nonce: 2n ** 256n })],
])('an abandonNode with %s is out of range', (_what, make) => {
  expect(make).toThrow(RangeError);
});

test.each([
  ['a short digest', { requestDigest: '0x12' as const }],
  ['a digest without 0x', { actionId: `00${worker.actionId.slice(2)}` as `0x${string}` }],
  ['a signature without 0x', { signature: '1234' as `0x${string}` }],
  ['a signature of half a byte', { signature: '0x123' as const }],
])('an abandonNode with %s is not of its types', (_what, own) => {
  expect(() => encode.encodeAbandonNode(1, { ...worker, ...own })).toThrow(TypeError);
});

test('a function that the escrow does not have has no selector', () => {
  expect(() => encode.selectorOf('steal')).toThrow(TypeError);
});
