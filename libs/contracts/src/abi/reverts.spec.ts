import { AbiCoder, concat, type ErrorFragment, id, Interface } from 'ethers';
import { asHex, checksumAddress } from './addresses.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';
import { decodeRevert, decodeSkippedCall } from './reverts.js';

const account = checksumAddress(`0x${id('account').slice(26)}`);
const contracts = { escrow: taskEscrowAbi, factory: taskEscrowFactoryAbi, token: localUsdcAbi };
const errors = Object.entries(contracts).flatMap(([contract, abi]) => {
  const iface = new Interface(abi);
  const fragments = iface.fragments.filter((fragment): fragment is ErrorFragment => fragment.type === 'error');
  return fragments.map((fragment) => ({ contract, name: fragment.name, iface, fragment }));
});

function value(type: string, index: number): string | bigint | boolean {
  if (type === 'address') return account;
  if (type === 'bytes32') return id(`${index}`);
  if (type === 'bool') return true;
  if (type === 'string') return 'text';
  return BigInt(index) + 3n;
}

test('the contracts have the errors that the interface is mapped from', () => {
  const names = errors.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['WrongState', 'TooLate', 'NonceUsed', 'InvalidSignature']));
  expect(new Set(errors.map(({ contract }) => contract)).size).toBe(3);
});

test.each(errors)('$name of the $contract is decoded with its arguments', ({ name, iface, fragment }) => {
  const values = fragment.inputs.map(({ type }, index) => value(type, index));
  const args = Object.fromEntries(fragment.inputs.map((input, index) => [input.name, values[index]]));
  expect(decodeRevert(asHex(iface.encodeErrorResult(fragment, values)))).toEqual({ name, args });
});

test('the text and the number that Solidity itself reverts with are decoded', () => {
  const text = AbiCoder.defaultAbiCoder().encode(['string'], ['FiatTokenV2: invalid signature']);
  expect(decodeRevert(asHex(concat(['0x08c379a0', text])))).toEqual({
    name: 'Error',
    args: { value: 'FiatTokenV2: invalid signature' },
  });
  const code = AbiCoder.defaultAbiCoder().encode(['uint256'], [0x11]);
  expect(decodeRevert(asHex(concat(['0x4e487b71', code])))).toEqual({ name: 'Panic', args: { value: 0x11n } });
});

test.each(['0x', '0x12', '0xdeadbeef', asHex(id('WrongState(uint32,uint8)').slice(0, 10))])(
  'the data %s is no error of ours',
  (data) => {
    expect(decodeRevert(asHex(data))).toBeNull();
  },
);

describe('the event of a batch that left a member out', () => {
  const escrow = new Interface(taskEscrowAbi);
  const reason = escrow.encodeErrorResult('TooLate', [7n]);
  const logOf = (name: string, values: readonly unknown[]) => {
    const { topics, data } = escrow.encodeEventLog(name, values);
    return { topics, data: asHex(data) };
  };

  test.each([
    ['an error of ours', reason, 'TooLate'],
    ['an unknown error', '0xdeadbeef', null],
    ['no reason', '0x', null],
  ])('says which, and why: %s', (_what, data, name) => {
    const skipped = decodeSkippedCall(logOf('CallSkipped', [2n, data]));
    expect([skipped?.index, skipped?.revert?.name ?? null]).toEqual([2, name]);
  });

  test('is told from other events, and from what only begins like it', () => {
    const { topics, data } = logOf('CallSkipped', [2n, reason]);
    expect(decodeSkippedCall(logOf('RefundWithdrawn', [account, account, 5n]))).toBeNull();
    expect(decodeSkippedCall({ topics: [id('Transfer(address,address,uint256)')], data })).toBeNull();
    expect(decodeSkippedCall({ topics: [], data })).toBeNull();
    expect(decodeSkippedCall({ topics, data: '0x' })).toBeNull();
  });
});
