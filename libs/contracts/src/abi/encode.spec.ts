import { childPath } from '#libs/kernel';
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
  nodeId: childPath(1n, 2),
  worker: account('worker'),
  amount: 5_000_000n,
  floor: 2_500_000n,
  workSeconds: 604_800,
  acceptWindow: 172_800,
  maxRevisions: 3,
  hirerFunded: false,
  termsHash: id('terms'),
};
const NODE = terms.nodeId;
const LAST = 2n ** 192n - 1n;
const flat = (value: encode.ActionAuth) => [
  value.actionId,
  value.requestDigest,
  value.nonce,
  value.validUntil,
  value.signature,
];
const flatTerms = [NODE, terms.worker, 5_000_000n, 2_500_000n, 604_800n, 172_800n, 3n, false, terms.termsHash];
const permit = { mode: FundingMode.Permit, permit: '0xabcd' } as const;
const carve = { mode: FundingMode.ParentNode } as const;

const cases: Record<string, [data: string, args: unknown[]]> = {
  fundTask: [encode.encodeFundTask(terms, permit, hirer, worker), [flatTerms, 2n, flat(hirer), flat(worker), '0xabcd']],
  subcontract: [
    encode.encodeSubcontract(terms, carve, hirer, worker),
    [flatTerms, 4n, flat(hirer), flat(worker), '0x'],
  ],
  deliver: [encode.encodeDeliver(NODE, id('a'), true, worker), [NODE, id('a'), true, flat(worker)]],
  resolveTask: [encode.encodeResolveTask(NODE, id('a'), hirer), [NODE, id('a'), flat(hirer)]],
  rejectTask: [encode.encodeRejectTask(NODE, id('a'), id('r'), hirer), [NODE, id('a'), id('r'), flat(hirer)]],
  abandonNode: [encode.encodeAbandonNode(NODE, worker), [NODE, flat(worker)]],
  claimNonDelivery: [encode.encodeClaimNonDelivery(NODE, account('any'), hirer), [NODE, account('any'), flat(hirer)]],
  disputeNode: [encode.encodeDisputeNode(NODE, id('e'), worker), [NODE, id('e'), flat(worker)]],
  ruleDispute: [encode.encodeRuleDispute(NODE, 3n, id('r'), hirer), [NODE, 3n, id('r'), flat(hirer)]],
  agreeSplit: [encode.encodeAgreeSplit(NODE, 3n, hirer, worker), [NODE, 3n, flat(hirer), flat(worker)]],
  finalize: [encode.encodeFinalize(NODE), [NODE]],
  withdrawEarnings: [
    encode.encodeWithdrawEarnings(NODE, account('to'), 4n, worker),
    [NODE, account('to'), 4n, flat(worker)],
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

test.each(['0x1234', '0x'] as const)('createTree carries the call %s that follows', (then) => {
  const tree = { buyer: account('buyer'), arbiter: account('arbiter'), treeId: id('tree') };
  const data = then === '0x' ? encode.encodeCreateTree(tree) : encode.encodeCreateTree(tree, then);
  const args = factory.decodeFunctionData('createTree', data);
  expect(args.toArray(true)).toEqual([tree.buyer, tree.arbiter, tree.treeId, then]);
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
  ['a node id of 193 bits', () => encode.encodeFinalize(LAST + 1n)],
  ['an amount of 65 bits', () => encode.encodeFundTask({ ...terms, amount: 2n ** 64n }, carve, hirer, worker)],
  ['a short digest', () => encode.encodeDeliver(1n, '0x12', true, worker)],
  ['a recipient that is no address', () => encode.encodeWithdrawEarnings(1n, '0x12', 1n, worker)],
])('a call with %s is refused', (_what, make) => {
  expect(make).toThrow(/out-of-bounds|incorrect data length|invalid address/);
});

test.each([0, 1, 32, 65, 200])(
  'abandonNode with a signature of %i bytes is what a general encoder makes of it',
  (bytes) => {
    const signed = { ...worker, nonce: 2n ** 256n - 1n, signature: `0x${'aB'.repeat(bytes)}` as const };
    const general = escrow.encodeFunctionData('abandonNode', [LAST, flat(signed)]);
    expect(encode.encodeAbandonNode(LAST, signed)).toBe(general);
  },
);

test.each([
  ['a node id of 193 bits', () => encode.encodeAbandonNode(LAST + 1n, worker)],
  ['a negative node id', () => encode.encodeAbandonNode(-1n, worker)],
  ['a nonce of 257 bits', () => encode.encodeAbandonNode(1n, { ...worker, nonce: 2n ** 256n })],
])('an abandonNode with %s is out of range', (_what, make) => {
  expect(make).toThrow(RangeError);
});

test.each([
  ['a short digest', { requestDigest: '0x12' as const }],
  ['a digest without 0x', { actionId: `00${worker.actionId.slice(2)}` as `0x${string}` }],
  ['a signature without 0x', { signature: '1234' as `0x${string}` }],
  ['a signature of half a byte', { signature: '0x123' as const }],
])('an abandonNode with %s is not of its types', (_what, own) => {
  expect(() => encode.encodeAbandonNode(1n, { ...worker, ...own })).toThrow(TypeError);
});

test('a function that the escrow does not have has no selector', () => {
  expect(() => encode.selectorOf('steal')).toThrow(TypeError);
});
