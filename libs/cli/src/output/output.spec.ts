import { ActionNotExecuted, MarketError, MarketUnreachable, PreparedActionRejected } from '#libs/sdk';
import { faultOf } from './fault-of.js';
import { Output, type TextSink } from './output.js';
import { shellText } from './shell-text.js';
import { textTable } from './text-table.js';

const HOSTILE = 'Nice \u001b]0;owned\u0007\u001b[2J\u009b31m task\u202e\r\nexit';

function recorded(isHuman: boolean, hasColour = false) {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err'): TextSink => ({
    isTTY: isHuman,
    columns: 60,
    write: (text) => void (said[name] += text),
  });
  return { said, output: new Output(sink('out'), sink('err'), isHuman, hasColour) };
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/;

describe('texts of others', () => {
  it('do nothing to a terminal, wherever they are shown', () => {
    const { said, output } = recorded(true);
    output.table([{ title: HOSTILE }], [['TITLE', ({ title }) => title]]);
    output.record({}, [['title', HOSTILE]]);
    output.fault({ exit: 1, what: HOSTILE, why: HOSTILE, advice: HOSTILE, code: HOSTILE });
    expect(said.out + said.err).not.toMatch(CONTROLS);
    expect(said.out.split('\n')).toHaveLength(4);
    expect(said.out).toContain(String.raw`\u{202e}`);
  });

  it('are whole in JSON, where a terminal that shows it finds nothing to act on', () => {
    const { said, output } = recorded(false);
    output.answer({ title: HOSTILE }, () => []);
    output.item({ title: HOSTILE }, () => '');
    expect(said.out).not.toMatch(CONTROLS);
    expect(JSON.parse(said.out.split('\n').at(-2) ?? '')).toEqual({ title: HOSTILE });
  });
});

it.each([0x7f, 0x9b, 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x202e, 0x2066, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xe0041])(
  'JSON hides no character: %i is an escape that is read as itself',
  (code) => {
    const { said, output } = recorded(false);
    const text = `a${String.fromCodePoint(code)}b`;
    output.item({ text }, () => '');
    expect(said.out).toMatch(/^[\u0020-\u007e]+\n$/);
    expect(JSON.parse(said.out)).toEqual({ text });
  },
);

it('a program reads only JSON: notes are for people, and a warning is an object', () => {
  const { said, output } = recorded(false);
  output.note('Look here.');
  output.warn('Sign in.');
  output.fault({ exit: 4, what: 'Not found.', code: 'not_found', requestId: 'r-1' });
  const lines = said.err.trim().split('\n');
  expect(said.out).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { warning: 'Sign in.' },
    { error: { what: 'Not found.', code: 'not_found', request_id: 'r-1', exit_code: 4 } },
  ]);
});

it('colours are only where they are wanted', () => {
  expect(recorded(true, true).output.styled('red', 'no')).toBe('\u001b[31mno\u001b[39m');
  expect(recorded(true).output.styled('red', 'no')).toBe('no');
});

it('a table cuts only its last column, because ids are there to be copied', () => {
  const rows = [{ id: 'task_'.padEnd(40, '1'), title: 'T'.repeat(80) }];
  const lines = textTable(
    rows,
    [
      ['ID', ({ id }) => id],
      ['TITLE', ({ title }) => title],
    ],
    60,
  );
  expect(lines[1]).toBe(`${rows[0]!.id}  ${'T'.repeat(17)}…`);
});

describe('a fault ends with the code of its kind', () => {
  const refused = (status: number) =>
    new MarketError(
      { status, requestId: 'r-1', retryAfterSeconds: 7 },
      { code: 'c', reason: 'Why.', suggestion: 'Do.' },
    );
  const ended = (status: string) => new ActionNotExecuted({ action_id: 'act_1', status } as never);
  const row = {
    number: 1,
    name: 'kind',
    title: 'It is of the kind',
    status: 'failed',
    detail: 'It is another.',
  } as const;
  const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

  it.each([
    ['400', refused(400), 2],
    ['401', refused(401), 3],
    ['403', refused(403), 3],
    ['404', refused(404), 4],
    ['409', refused(409), 5],
    ['429', refused(429), 7],
    ['500', refused(500), 1],
    ['what the checks reject', new PreparedActionRejected([row], {}), 6],
    ['declined', ended('declined'), 8],
    ['expired', ended('expired'), 9],
    ['superseded', ended('superseded'), 1],
    ['time', timeout, 1],
    ['anything', new Error('Oh.'), 1],
    ['what is no error', 'Oh.', 1],
  ])('%s', (_what, error, exit) => {
    const fault = faultOf(error, { repeatWith: () => '', now: Date.now });
    expect([fault.exit, fault.what === '']).toEqual([exit, false]);
  });

  it('and says what is true of a call that does not fit what was signed', () => {
    const telling = { repeatWith: () => '', now: Date.now };
    const before = faultOf(new PreparedActionRejected([row], { action_id: 'act_1' }), telling);
    const after = faultOf(new PreparedActionRejected([row], { action_id: 'act_1' }, true), telling);
    expect(before.what).toContain('Nothing was signed.');
    expect([after.exit, after.what]).toEqual([6, expect.not.stringContaining('Nothing was signed')]);
    expect(after.what).toContain('the signature was given to the market');
    expect(after.advice).toContain('tasktree actions wait act_1');
  });

  it('and says why, what to do, and which request it was', () => {
    expect(faultOf(refused(429), { repeatWith: () => '', now: Date.now })).toEqual({
      exit: 7,
      what: 'Too many requests.',
      why: 'Why.',
      advice: 'Do. Again after 7 s.',
      code: 'c',
      requestId: 'r-1',
    });
  });

  it('says each fault of a request once, with where it is', () => {
    const missing = ['price', 'terms_hash'].map((path) => ({ path, reason: `${path} is required.` }));
    const why = (reason: string, details: MarketError['details']) =>
      faultOf(new MarketError({ status: 400 }, { code: 'invalid_body', reason, details }), { now: Date.now }).why;
    expect(why('price is required.', [missing[0]!])).toBe('price is required.');
    expect(why('price is required. 1 more is in details.', missing)).toBe(
      'price is required. 1 more is in details. terms_hash is required.',
    );
    expect(why('The body does not fit.', [{ path: 'price', reason: 'It is too small.' }])).toBe(
      'The body does not fit. price: It is too small.',
    );
  });

  it('says of a limit when it grows again, and nothing in JSON', () => {
    const reason = 'At most 100.00 USDC a day; 5.00 USDC are left.';
    const left = { amount: '5.00', currency: 'USDC' };
    const details = [{ path: '', reason, limit: 'per_day', left, refills_at: '2026-11-29T08:00:00.000Z' }];
    const error = new MarketError({ status: 403 }, { code: 'spend_limit_exceeded', reason, details });
    expect(faultOf(error, { now: Date.now }).why).toBe(`${reason} refills_at: 2026-11-29T08:00:00.000Z`);
  });

  it('of a connection names the command that repeats a write as the same one', () => {
    const repeat = { repeatWith: (key: string) => `tasktree again ${key}`, now: Date.now };
    expect(faultOf(new MarketUnreachable(3, null, 'k-1'), repeat).advice).toBe('Safe to repeat: tasktree again k-1');
    expect(faultOf(new MarketUnreachable(3, null), repeat).advice).toContain('tasktree doctor');
  });
});

it.each([
  ['plain', 'plain'],
  ['two words', "'two words'"],
  ["it's", String.raw`'it'\''s'`],
  ['$(rm)', "'$(rm)'"],
  ['', "''"],
])('the shell reads %j as one word', (word, text) => {
  expect(shellText(word)).toBe(text);
});
