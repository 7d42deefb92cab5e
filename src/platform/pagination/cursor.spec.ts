import { Environment } from '../config/environment.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';
import { type CursorBinding, Cursors } from './cursor.js';

const HOUR_MS = 3_600_000;
const BINDING: CursorBinding = {
  accountId: 'acct_1',
  operationId: 'listTasks',
  filters: { status: 'open', role: 'buyer' },
};

/** The beginning of an hour. */
const START_MS = 500_000 * HOUR_MS;

class TestClock extends Clock {
  ms = START_MS;
  override nowMs(): number {
    return this.ms;
  }
}

const clock = new TestClock();
const environment = Object.assign(new Environment(), { appSecret: 'x'.repeat(32) });
const sealer = new Sealer(environment);
const cursors = new Cursors(sealer, clock);
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

it('a cursor opens to the position it was sealed with', () => {
  const position = ['2026-11-20T00:00:00.000Z', 'task_1', 'ü"'];
  expect(cursors.open(BINDING, cursors.seal(BINDING, position))).toEqual(position);
});

it('the order of filters does not matter, and filters without a value are none', () => {
  const cursor = cursors.seal(BINDING, ['a']);
  const same = { ...BINDING, filters: { role: 'buyer', status: 'open', task_id: undefined } };
  expect(cursors.open(same, cursor)).toEqual(['a']);
});

it.each<[string, Partial<CursorBinding>]>([
  ['another account', { accountId: 'acct_2' }],
  ['another operation', { operationId: 'listQuotes' }],
  ['another filter', { filters: { status: 'draft', role: 'buyer' } }],
  ['a filter less', { filters: { status: 'open' } }],
])('a cursor of %s does not open', (_, other) => {
  const cursor = cursors.seal(BINDING, ['a']);
  expect(() => cursors.open({ ...BINDING, ...other }, cursor)).toThrow(refusal);
});

it('a changed, cut, extended or differently spelled cursor does not open', () => {
  const cursor = cursors.seal(BINDING, ['abc']);
  const middle = cursor.length >> 1;
  const flipped = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`;
  for (const other of [flipped, cursor.slice(0, -4), `${cursor}AAAA`, `${cursor}=`, ` ${cursor}`, 'x', '{}', '%']) {
    expect(() => cursors.open(BINDING, other)).toThrow(refusal);
  }
});

it.each([0, 1, HOUR_MS - 1])('a cursor sealed %i ms after the hour lives for 72 hours and not for 73', (afterMs) => {
  clock.ms = START_MS + afterMs;
  const cursor = cursors.seal(BINDING, ['a']);
  clock.ms += 72 * HOUR_MS;
  expect(cursors.open(BINDING, cursor)).toEqual(['a']);
  clock.ms += HOUR_MS;
  expect(() => cursors.open(BINDING, cursor)).toThrow(refusal);
});

it('nothing of the position shows', () => {
  const cursor = cursors.seal(BINDING, ['task_secret']);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('task_secret');
});

it('who polls a page gets the same cursor from every process for an hour, then another; nobody else gets it', () => {
  clock.ms = START_MS;
  const cursor = cursors.seal(BINDING, ['task_polled']);
  const elsewhere = new Cursors(new Sealer(environment), clock);
  for (const afterMs of [0, 1, 1_800_000, HOUR_MS - 1]) {
    clock.ms = START_MS + afterMs;
    expect(cursors.seal(BINDING, ['task_polled'])).toBe(cursor);
    expect(elsewhere.seal(BINDING, ['task_polled'])).toBe(cursor);
  }
  expect(cursors.seal({ ...BINDING, accountId: 'acct_2' }, ['task_polled'])).not.toBe(cursor);
  expect(cursors.seal(BINDING, ['task_polle', 'd'])).not.toBe(cursor);
  clock.ms = START_MS + HOUR_MS;
  expect(cursors.seal(BINDING, ['task_polled'])).not.toBe(cursor);
});

it('no two positions, bindings or hours share the nonce that they are sealed with', () => {
  const nonces = new Set<string>();
  let sealed = 0;
  for (let hour = 0; hour < 3; hour += 1) {
    clock.ms = START_MS + hour * HOUR_MS;
    for (const accountId of ['acct_1', 'acct_2']) {
      for (let n = 0; n < 200; n += 1) {
        const cursor = cursors.seal({ ...BINDING, accountId }, [`task_${n}`]);
        nonces.add(Buffer.from(cursor, 'base64url').subarray(0, 12).toString('hex'));
        sealed += 1;
      }
    }
  }
  expect(nonces.size).toBe(sealed);
});

it('what was sealed for another purpose does not open', () => {
  const other = sealer.seal('signing-link', Buffer.from('["9999999999999","a"]'), 'x').toString('base64url');
  expect(() => cursors.open(BINDING, other)).toThrow(refusal);
});
