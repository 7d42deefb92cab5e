import { typedDataDigest, typedDataStructHash } from '#libs/contracts';
import { hashDomain, hashStruct, hashTypedData as viemHash, keccak256, toBytes } from 'viem';
import { signable, SIGNABLE_NAMES } from '../../../../test/support/signable-actions.js';
import { checksumOf, isAddressText } from '../document/evm-address.js';
import { hashTypedData } from './typed-data-hash.js';

/** Numbers that are the same in every run. */
function* numbers(seed: number): Generator<bigint> {
  for (let state = keccak256(toBytes(`seed ${seed}`)); ; state = keccak256(state)) yield BigInt(state);
}

function randomTypedData(seed: number): any {
  const source = numbers(seed);
  const next = (below: number) => Number(source.next().value! % BigInt(below));
  const hex = (bytes: number) =>
    `0x${source
      .next()
      .value!.toString(16)
      .padStart(64, '0')
      .slice(0, bytes * 2)}`;
  const value = (type: string): unknown => {
    if (type.startsWith('uint')) return (source.next().value! % (1n << BigInt(type.slice(4)))).toString();
    if (type.startsWith('bytes')) return hex(Number(type.slice(5)));
    if (type === 'address') return checksumOf(hex(20));
    return type === 'bool' ? next(2) === 1 : `“${hex(next(32))}” ü ${String.fromCodePoint(0x1f600 + next(50))}`;
  };
  const atomic = () => {
    const choice = ['address', 'bool', 'string', `uint${8 * (1 + next(32))}`, `bytes${1 + next(32)}`];
    return choice[next(choice.length)]!;
  };
  const members = (extra: { name: string; type: string }[]) => [
    ...Array.from({ length: 1 + next(6) }, (_, at) => ({ name: `m${at}`, type: atomic() })),
    ...extra,
  ];
  const types: Record<string, { name: string; type: string }[]> = {
    Zed: members([]),
    Able: members([{ name: 'zed', type: 'Zed' }]),
    Main: members([
      { name: 'able', type: 'Able' },
      { name: 'zed', type: 'Zed' },
    ]),
  };
  const fill = (name: string): object =>
    Object.fromEntries(types[name]!.map((one) => [one.name, one.type in types ? fill(one.type) : value(one.type)]));
  const domain = { name: 'N', version: '1', chainId: next(1e9), verifyingContract: checksumOf(hex(20)) };
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  return { domain, types: { EIP712Domain, ...types }, primaryType: 'Main', message: fill('Main') };
}

test.each(SIGNABLE_NAMES)('%s has the digest that viem and the contract library compute', (name) => {
  const payload: any = signable(name).action.payload;
  const { digest, messageHash, domainHash } = hashTypedData(payload);
  expect(digest).toBe(typedDataDigest(payload));
  expect(messageHash).toBe(typedDataStructHash(payload));
  expect(digest).toBe(viemHash(payload));
  expect(domainHash).toBe(hashDomain(payload));
});

test('the hashes of 300 random messages are those of viem', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const data = randomTypedData(seed);
    const { digest, messageHash } = hashTypedData(data);
    expect(digest).toBe(viemHash(data));
    expect(messageHash).toBe(hashStruct({ data: data.message, primaryType: 'Main', types: data.types }));
  }
});

test.each<[string, (data: any) => unknown]>([
  ['a list', (data) => data.types.Zed.push({ name: 'list', type: 'uint8[]' })],
  ['a signed integer', (data) => data.types.Zed.push({ name: 'signed', type: 'int8' })],
  ['an integer of 7 bits', (data) => data.types.Zed.push({ name: 'seven', type: 'uint7' })],
  ['a struct that holds itself', (data) => data.types.Zed.push({ name: 'self', type: 'Zed' })],
  ['a member too many', (data) => (data.message.more = '1')],
  ['a member too few', (data) => delete data.message.m0],
  ['no domain', (data) => delete data.domain],
  ['a primary type called constructor', (data) => (data.primaryType = 'constructor')],
])('typed data with %s is not hashed', (_what, change) => {
  const data = randomTypedData(1);
  change(data);
  expect(() => hashTypedData(data)).toThrow(TypeError);
});

test('addresses have the checksum of EIP-55, whose own examples pass', () => {
  for (const address of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]) {
    expect(checksumOf(address.toLowerCase())).toBe(address);
    expect(isAddressText(address)).toBe(true);
    expect(isAddressText(address.replace(/[a-f]/, (digit) => digit.toUpperCase()))).toBe(false);
  }
});
