import { childPath, IDENTIFIER_PATTERN, isIdentifier, nodeIdOf } from '#libs/notation';
import { firstIdAt, type IdPrefix, idTime, newId } from './timed-identifier.js';

const AT = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const prefixes: IdPrefix[] = [
  'task',
  'node',
  'agent',
  'quote',
  'dlv',
  'act',
  'acct',
  'key',
  'rcpt',
  'req',
  'snap',
  'sess',
  'chal',
  'audit',
];

test.each(prefixes)('a new %s id is a prefix and 26 lower-case base32 digits within the wire pattern', (prefix) => {
  const id = newId(prefix, AT);
  expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  expect(IDENTIFIER_PATTERN.test(id)).toBe(true);
});

test('the time digits are those of a ULID', () => {
  // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
  expect(newId('task', 1_469_918_176_385).slice(5, 15)).toBe('01aryz6s41');
});

test.each([0, 1, AT, 2 ** 48 - 1])('an id carries its time: %d ms', (ms) => {
  expect(idTime(newId('task', ms)).getTime()).toBe(ms);
});

test('ids of one millisecond are distinct and strictly increasing', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('act', AT));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids of later milliseconds sort after those of earlier ones', () => {
  const ids = Array.from({ length: 500 }, (_, i) => newId('quote', AT + i * 37));
  expect([...ids].sort()).toEqual(ids);
});

test('ids of different milliseconds share no random part', () => {
  const random = Array.from({ length: 100 }, (_, i) => newId('key', AT + i).slice(-16));
  expect(new Set(random).size).toBe(100);
});

test.each([-1, 0.5, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY])('no id is made for the time %d', (ms) => {
  expect(() => newId('task', ms)).toThrow(RangeError);
});

test.each(['', 'task_', 'task_01ARYZ6S410000000000000000', 'task_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'task-1', 'x'])(
  'the text "%s" carries no time',
  (text) => {
    expect(() => idTime(text)).toThrow(SyntaxError);
  },
);

test('the id of a node follows from its task and path, and carries the time of the task', () => {
  const taskId = newId('task', AT);
  const nodeId = nodeIdOf(taskId, childPath(12n, 3));
  expect(nodeId).toBe(`node_${taskId.slice(5)}_12-3`);
  expect(isIdentifier(nodeId)).toBe(true);
  expect(idTime(nodeId).getTime()).toBe(AT);
});

it('tells where the ids of a millisecond begin, and leaves the order of the new ones alone', () => {
  const before = newId('audit', AT - 1);
  const first = newId('audit', AT);
  const bound = firstIdAt('audit', AT);
  firstIdAt('audit', AT - 86_400_000);
  expect(newId('audit', AT) > first).toBe(true);
  expect([before < bound, bound <= first]).toEqual([true, true]);
  expect(idTime(bound).getTime()).toBe(AT);
  expect(() => firstIdAt('audit', -1)).toThrow(RangeError);
});
