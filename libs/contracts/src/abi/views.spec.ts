import { id, Interface } from 'ethers';
import { checksumAddress } from './addresses.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';
import { NodeState } from '../tree/node-states.js';
import * as views from './views.js';

const escrow = new Interface(taskEscrowAbi);
const usdc = new Interface(localUsdcAbi);
const worker = checksumAddress(`0x${id('worker').slice(26)}`);
const [last, money] = [2n ** 192n - 1n, 2n ** 64n - 1n];
const [deliverBy, clock] = [1_900_000_000n, 1_900_000_001n];
const stored = [worker, money - 1n, 172_800n, true, money, 7n, deliverBy, clock, 5n, 1n, 3n, 4n, true, id('artifact')];
const result = escrow.encodeFunctionResult('node', [stored]);

test('a stored node is decoded member by member', () => {
  expect(views.decodeNodeResult(result)).toEqual({
    worker,
    floor: money - 1n,
    acceptWindow: 172_800,
    hirerFunded: true,
    amount: money,
    allocated: 7n,
    deliverBy: 1_900_000_000,
    clock: 1_900_000_001,
    version: 5,
    revisions: 1,
    maxRevisions: 3,
    state: NodeState.Disputed,
    payOut: true,
    artifactHash: id('artifact'),
  });
});

test('a path that no node has gives a node in state None', () => {
  expect(views.decodeNodeResult(`0x${'0'.repeat(14 * 64)}`)).toMatchObject({ state: NodeState.None, amount: 0n });
});

test.each([
  ['nothing, as an address without code does', '0x'],
  ['a word too few', result.slice(0, -64)],
  ['a word too many', `${result}${'0'.repeat(64)}`],
  ['an unknown state', `${result.slice(0, 2 + 64 * 11)}${'8'.padStart(64, '0')}${result.slice(2 + 64 * 12)}`],
])('a contract that returns %s is not taken for the escrow', (_what, data) => {
  expect(() => views.decodeNodeResult(data)).toThrow(/pinned contract|Unknown node state/);
});

test('the calls carry their arguments', () => {
  expect(escrow.decodeFunctionData('node', views.encodeNodeCall(9n)).toArray()).toEqual([9n]);
  const bitmap = views.encodeNonceBitmapCall(worker, 2n ** 200n);
  expect(escrow.decodeFunctionData('nonceBitmap', bitmap).toArray()).toEqual([worker, 2n ** 200n]);
});

test('a bitmap is a whole word', () => {
  expect(views.decodeNonceBitmapResult(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  expect(() => views.decodeNonceBitmapResult('0x')).toThrow(TypeError);
});

test('the calls are what a general encoder makes of them', () => {
  expect(views.encodeNodeCall(last)).toBe(escrow.encodeFunctionData('node', [last]));
  expect(views.encodeWithdrawableCall(last)).toBe(escrow.encodeFunctionData('withdrawable', [last]));
  const word = 2n ** 256n - 1n;
  expect(views.encodeNonceUsedCall(worker, word)).toBe(escrow.encodeFunctionData('nonceUsed', [worker, word]));
  const general = escrow.encodeFunctionData('nonceBitmap', [worker, word]);
  expect(views.encodeNonceBitmapCall(worker, word)).toBe(general);
  expect(views.encodeNonceBitmapCall(worker.toLowerCase(), word)).toBe(general);
});

test('a call with an argument that does not fit is refused', () => {
  expect(() => views.encodeNodeCall(last + 1n)).toThrow(RangeError);
  expect(() => views.encodeNonceBitmapCall(worker, 2n ** 256n)).toThrow(RangeError);
  expect(() => views.encodeNonceBitmapCall('0x12', 0n)).toThrow(TypeError);
});

test('whether a nonce is used is one boolean', () => {
  for (const used of [true, false]) {
    expect(views.decodeNonceUsedResult(escrow.encodeFunctionResult('nonceUsed', [used]))).toBe(used);
  }
  expect(() => views.decodeNonceUsedResult('0x')).toThrow(TypeError);
  expect(() => views.decodeNonceUsedResult(`0x${'2'.padStart(64, '0')}`)).toThrow(TypeError);
});

test('balances are asked for by account, and are one word', () => {
  const other = checksumAddress(`0x${id('other').slice(26)}`);
  expect(escrow.decodeFunctionData('refundOf', views.encodeRefundOfCall(worker)).toArray()).toEqual([worker]);
  expect(views.encodeRefundOfCall(worker)).toBe(escrow.encodeFunctionData('refundOf', [worker]));
  expect(usdc.decodeFunctionData('balanceOf', views.encodeBalanceOfCall(worker)).toArray()).toEqual([worker]);
  expect(usdc.decodeFunctionData('allowance', views.encodeAllowanceCall(worker, other)).toArray()).toEqual([
    worker,
    other,
  ]);
  expect(usdc.decodeFunctionData('nonces', views.encodePermitNonceCall(worker)).toArray()).toEqual([worker]);
  expect(views.decodeAmountResult(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  expect(() => views.decodeAmountResult(`0x${'f'.repeat(128)}`)).toThrow(TypeError);
});

test("the views of the token's domain give a text or a hash, and throw on anything else", () => {
  const name = usdc.encodeFunctionResult('name', ['USD Coin']);
  expect(views.decodeTokenDomainResult('name', name)).toBe('USD Coin');
  expect(views.decodeTokenDomainResult('DOMAIN_SEPARATOR', id('domain'))).toBe(id('domain'));
  expect(usdc.parseTransaction({ data: views.encodeTokenDomainCall('version') })?.name).toBe('version');
  expect(() => views.decodeTokenDomainResult('name', '0x')).toThrow(/could not decode/);
});
