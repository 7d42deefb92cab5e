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

class TestClock extends Clock {
  ms = 1_800_000_000_000;
  override nowMs(): number {
    return this.ms;
  }
}

const clock = new TestClock();
const sealer = new Sealer(Object.assign(new Environment(), { appSecret: 'x'.repeat(32) }));
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

it('a cursor lives for 72 hours', () => {
  const cursor = cursors.seal(BINDING, ['a']);
  clock.ms += 72 * HOUR_MS - 1;
  expect(cursors.open(BINDING, cursor)).toEqual(['a']);
  clock.ms += 1;
  expect(() => cursors.open(BINDING, cursor)).toThrow(refusal);
});

it('nothing of the position shows, and no two cursors are equal', () => {
  const cursor = cursors.seal(BINDING, ['task_secret']);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('task_secret');
});

it('who polls a page gets the same cursor for a minute, then another; nobody else gets it', () => {
  const cursor = cursors.seal(BINDING, ['task_polled']);
  expect(cursors.seal(BINDING, ['task_polled'])).toBe(cursor);
  expect(cursors.seal({ ...BINDING, accountId: 'acct_2' }, ['task_polled'])).not.toBe(cursor);
  expect(cursors.seal(BINDING, ['task_polle', 'd'])).not.toBe(cursor);
  clock.ms += 60_000;
  expect(cursors.seal(BINDING, ['task_polled'])).not.toBe(cursor);
});

it('what was sealed for another purpose does not open', () => {
  const other = sealer.seal('signing-link', Buffer.from('["9999999999999","a"]'), 'x').toString('base64url');
  expect(() => cursors.open(BINDING, other)).toThrow(refusal);
});
