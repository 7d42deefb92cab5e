import { parseKeysArguments } from './keys-arguments.js';

const parse = (line: string) => parseKeysArguments(line.split(' ').filter(Boolean));

it.each([
  ['create-set --account Ada', { name: 'create-set', account: 'Ada', wallet: null, days: null }],
  ['create --account acct_1 --scope worker --days 7', { scope: 'worker', days: 7, keyName: null }],
  [
    'create --account a --scope buyer --per-day 100 --total 0',
    { limits: { perPayment: null, perDay: 100_000_000n, inTotal: 0n, counterparties: null } },
  ],
  ['list', { name: 'list', account: null }],
  ['roll key_1 --overlap-hours 0', { name: 'roll', keyId: 'key_1', overlapHours: 0 }],
  ['revoke key_1', { name: 'revoke', keyId: 'key_1' }],
  ['', { name: 'help' }],
  ['create --help', { name: 'help' }],
])('`%s` is understood', (line, command) => {
  expect(parse(line).command).toMatchObject(command);
});

it.each([
  ['destroy', 'no command'],
  ['constructor', 'no command'],
  ['create --account a', '--scope is missing'],
  ['create --account a --scope admin', 'no scope "admin"'],
  ['create --account a --scope read --days soon', 'whole number'],
  ['create --account a --scope buyer --per-day much', '--per-day: Write the amount'],
  ['create --account a --scope buyer --total=', '--total is empty'],
  ['create-set --account a --counterparties ada.eth', '--counterparties: Number 1'],
  ['list --per-day 1', 'takes no --per-day'],
  ['revoke', 'needs one KEY_ID'],
  ['revoke a b', 'needs one KEY_ID'],
  ['list extra', 'takes no "extra"'],
  ['list --scope read', 'takes no --scope'],
  ['list --colour', 'colour'],
])('`%s` is refused with a sentence', (line, sentence) => {
  expect(() => parse(line)).toThrow(sentence);
});

it('--json and --data-dir go with every command', () => {
  expect(parse('list --json --data-dir /tmp/m')).toMatchObject({ json: true, dataDirectory: '/tmp/m' });
});
