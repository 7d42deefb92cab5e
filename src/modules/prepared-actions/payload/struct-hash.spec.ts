import { randomBytes, randomInt } from 'node:crypto';
import { getAddress, TypedDataEncoder, type TypedDataField } from 'ethers';
import { DOMAIN_MEMBERS, ESCROW_TYPES, NODE_TERMS_MEMBERS, USDC_TYPES } from '#libs/prepared-action';
import { payloadDigest } from './payload-digest.js';
import { structHashOf } from './struct-hash.js';

const ROUNDS = 40;
const DOMAIN = {
  name: 'Tasktree',
  version: '1',
  chainId: 31337,
  verifyingContract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
};
type Structs = Record<string, TypedDataField[]>;
type Message = Record<string, unknown>;

/** A value of the type, often at its ends. */
function valueOf(type: string, structs: Structs): unknown {
  if (structs[type] !== undefined) return messageOf(structs[type], structs);
  if (type === 'bool') return randomInt(2) === 1;
  if (type === 'address') return getAddress(`0x${randomBytes(20).toString('hex')}`);
  if (type === 'bytes32') return `0x${randomBytes(32).toString('hex')}`;
  const bits = BigInt(type.slice('uint'.length));
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`) >> (256n - bits);
  return [0n, 1n, (1n << bits) - 1n, random, random][randomInt(5)]?.toString();
}

function messageOf(members: readonly TypedDataField[], structs: Structs): Message {
  return Object.fromEntries(members.map(({ name, type }) => [name, valueOf(type, structs)]));
}

function structsOf(name: string, members: readonly TypedDataField[]): Structs {
  const structs: Structs = { [name]: [...members] };
  if (members.some(({ type }) => type === 'NodeTerms')) structs.NodeTerms = [...NODE_TERMS_MEMBERS];
  return structs;
}

const everyType = Object.entries({ ...ESCROW_TYPES, ...USDC_TYPES }).map(([name, members]) => ({
  name,
  structs: structsOf(name, members),
}));

describe('the hash of a struct', () => {
  it.each(everyType)('$name is that of ethers for whatever its members are', ({ name, structs }) => {
    const encoder = TypedDataEncoder.from(structs);
    const hash = structHashOf(structs, encoder);
    for (let round = 0; round < ROUNDS; round += 1) {
      const message = messageOf(structs[name] ?? [], structs);
      expect(hash?.(message)).toBe(encoder.hash(message));
      const payload = { domain: DOMAIN, types: { EIP712Domain: DOMAIN_MEMBERS, ...structs }, message };
      expect(payloadDigest(payload).digest).toBe(TypedDataEncoder.hash(DOMAIN, structs, message));
    }
  });

  it.each(['string', 'bytes', 'int8', 'bytes4', 'uint256[]'])('is left to ethers where a member is %s', (type) => {
    const structs = { Parcel: [{ name: 'goods', type }] };
    expect(structHashOf(structs, TypedDataEncoder.from(structs))).toBeNull();
  });

  it.each([
    ['uint8', '256'],
    ['uint8', '-1'],
    ['uint8', '0x01'],
    ['uint8', ''],
    ['uint8', 1],
    ['bytes32', '0x00'],
    ['bytes32', 1],
    ['bool', 'true'],
    ['address', '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'],
    ['address', '0x9FE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
    ['address', '9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
    ['address', null],
  ])('is left to ethers where the %s is %j', (type, value) => {
    const structs = { Parcel: [{ name: 'goods', type }] };
    expect(structHashOf(structs, TypedDataEncoder.from(structs))?.({ goods: value })).toBeNull();
    expect(structHashOf(structs, TypedDataEncoder.from(structs))?.({})).toBeNull();
  });
});
