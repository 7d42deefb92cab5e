import { type EventFragment, id, Interface, toBeHex } from 'ethers';
import { asHex, checksumAddress } from './addresses.js';
import { decodeFact, FACT_TOPICS } from './decode.js';
import { type EscrowFact, factFromJson, factToJson } from '../tree/escrow-events.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';

const escrow = new Interface(taskEscrowAbi);
const factory = new Interface(taskEscrowFactoryAbi);

/**
 * No facts: ERC-5267's event is inherited with the interface and never emitted, as a tree's domain never changes, and
 * the other one says that a member of a batch did nothing.
 */
const NO_FACTS = ['EIP712DomainChanged', 'CallSkipped'];
const events = [...escrow.fragments, ...factory.fragments]
  .filter((fragment): fragment is EventFragment => fragment.type === 'event')
  .filter(({ name }) => !NO_FACTS.includes(name));
const MAX = 2n ** 256n - 1n;

/** A value for each ABI type that differs with the seed; enumerations and small integers stay in range. */
function value(type: string, name: string, seed: number): string | bigint | boolean | number {
  if (type === 'address') return checksumAddress(`0x${id(`${name}${seed}`).slice(26)}`);
  if (type === 'bytes32') return id(`${name}${seed}`);
  if (type === 'bool') return seed % 2 === 1;
  if (type === 'uint8') return seed % 5;
  if (type === 'uint192') return 2n ** 192n - 1n - BigInt(seed);
  if (name === 'maxRevisions') return BigInt(seed);
  const seconds = /By$|Window$/.test(name);
  return seconds ? 1_900_000_000n + BigInt(seed) : MAX - BigInt(seed);
}

function encodeLog(event: EventFragment, seed: number) {
  const iface = escrow.getEvent(event.name) === null ? factory : escrow;
  const values = event.inputs.map(({ type, name }) => value(type, name, seed));
  return { iface, values, log: iface.encodeEventLog(event, values) };
}

test('every event of the escrow and the factory has a pinned layout, and no other', () => {
  expect([...FACT_TOPICS].sort()).toEqual(events.map(({ topicHash }) => topicHash).sort());
});

test.each(events.flatMap((event) => [0, 1, 7].map((seed) => ({ name: event.name, event, seed }))))(
  '$name is decoded as ethers decodes it (seed $seed)',
  ({ name, event, seed }) => {
    const { iface, log } = encodeLog(event, seed);
    const parsed = iface.parseLog(log)!;
    const expected = Object.entries(parsed.args.toObject()).map(([member, arg]) => [member, arg]);
    const fact = decodeFact(log)!;
    const { type, ...members } = fact;
    expect(type).toBe(name);
    // ethers gives every integer as bigint, the fact gives the small ones as numbers.
    const asEthers = Object.entries(members).map(([m, v]) => [m, typeof v === 'number' ? BigInt(v) : v]);
    expect(asEthers).toEqual(expected);
  },
);

test.each(events.map((event) => ({ name: event.name, event })))('$name survives a trip through JSON', ({ event }) => {
  const fact = decodeFact(encodeLog(event, 3).log)!;
  expect(factFromJson(JSON.parse(JSON.stringify(factToJson(fact))))).toEqual(fact);
});

test('a log of another contract is no fact', () => {
  expect(decodeFact({ topics: [id('Transfer(address,address,uint256)')], data: '0x' })).toBeNull();
  expect(decodeFact({ topics: [], data: '0x' })).toBeNull();
});

test('an event of the same signature that lays its members out differently is no fact', () => {
  const { log } = encodeLog(escrow.getEvent('NodeFunded')!, 1);
  expect(decodeFact({ ...log, topics: log.topics.slice(0, 2) })).toBeNull();
  expect(decodeFact({ ...log, data: `${log.data}${'0'.repeat(64)}` })).toBeNull();
  expect(decodeFact({ ...log, data: log.data.slice(0, -2) })).toBeNull();
});

test.each<[string, string, number]>([
  ['an unknown enumeration member', '5', 63],
  ['a word beyond the enumeration', '1', 0],
])('%s is an error, not a guess', (_what, digit, at) => {
  const { log } = encodeLog(escrow.getEvent('NodeFunded')!, 1);
  const [before, mode] = [log.data.slice(0, 2 + 6 * 64), log.data.slice(2 + 6 * 64)];
  const data = `${before}${mode.slice(0, at)}${digit}${mode.slice(at + 1)}`;
  expect(() => decodeFact({ topics: log.topics, data })).toThrow(/Unknown funding mode|not a number below/);
});

test('a boolean that is neither 0 nor 1 is an error', () => {
  const { log } = encodeLog(escrow.getEvent('NodeDelivered')!, 1);
  const data = `${log.data.slice(0, 2 + 64 * 2)}${'2'.padStart(64, '0')}`;
  expect(() => decodeFact({ topics: log.topics, data })).toThrow('not a boolean');
});

test('a node id that is no path is an error', () => {
  const { log } = encodeLog(escrow.getEvent('NodeDisputed')!, 1);
  for (const word of [0n, 1n << 24n, 1n << 192n]) {
    const topics = [log.topics[0]!, toBeHex(word, 32)];
    expect(() => decodeFact({ topics, data: log.data })).toThrow(TypeError);
  }
});

test('a member of a batch that was left out is no fact', () => {
  expect(decodeFact(escrow.encodeEventLog(escrow.getEvent('CallSkipped')!, [0n, '0x1234']))).toBeNull();
});

test('a topic that holds more than an address is an error', () => {
  const { log } = encodeLog(escrow.getEvent('RefundWithdrawn')!, 1);
  const topics = [log.topics[0]!, `0xff${log.topics[1]!.slice(4)}`, log.topics[2]!];
  expect(() => decodeFact({ topics, data: log.data })).toThrow(TypeError);
});

const stored = factToJson({
  type: 'NodeFunded',
  nodeId: 1n,
  worker: checksumAddress(`0x${id('worker').slice(26)}`),
  payer: checksumAddress(`0x${id('payer').slice(26)}`),
  amount: 5n,
  floor: 2n,
  deliverBy: 1_900_000_000,
  acceptWindow: 172_800,
  maxRevisions: 3,
  hirerFunded: true,
  mode: 1,
  termsHash: asHex(id('terms')),
} satisfies EscrowFact);

test('a node id is kept as decimal text, which holds every path', () => {
  expect(stored.nodeId).toBe('1');
});

test.each<[string, Record<string, unknown>]>([
  ['an unknown type', { ...stored, type: 'constructor' }],
  ['no type', { ...stored, type: undefined }],
  ['an amount as a number', { ...stored, amount: 5 }],
  ['an amount as hexadecimal', { ...stored, amount: '0x5' }],
  ['a node id as a number', { ...stored, nodeId: 1 }],
  ['a node id that is no path', { ...stored, nodeId: '16777216' }],
  ['a negative number', { ...stored, maxRevisions: -1 }],
  ['an unknown funding mode', { ...stored, mode: 9 }],
  ['a short address', { ...stored, payer: '0x12' }],
  ['a missing member', { type: 'NodeFunded', nodeId: '1' }],
])('a stored fact with %s is refused', (_what, json) => {
  expect(() => factFromJson(json)).toThrow(/does not fit|type of an escrow fact|Unknown/);
});
