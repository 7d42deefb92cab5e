import { FieldRefused } from '../page-parts/form-problem.js';
import { keyInput, NEW_KEY, overlapInput, scopeInput, typedKey } from './key-form.js';

const asked = (change: Partial<typeof NEW_KEY>) => keyInput('set', { ...NEW_KEY, name: 'a bot', ...change });

describe('the form of a key', () => {
  it('asks for ninety days and any network when nothing else is said', () => {
    expect(asked({})).toEqual({ name: 'a bot', days: 90 });
    expect(asked({ days: '' })).toEqual({ name: 'a bot', days: 90 });
  });

  it('takes networks with blanks, commas or semicolons between them, and addresses as networks of one', () => {
    expect(asked({ cidrs: ' 10.0.0.0/8,192.0.2.7;\n 2001:db8::/32 2001:db8::1 ' }).cidrs).toEqual([
      '10.0.0.0/8',
      '192.0.2.7/32',
      '2001:db8::/32',
      '2001:db8::1/128',
    ]);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'example.com', '::/129', '/8', '10.0.0.0/', 'fe80::1%eth0/64', '0x7f.1/8'])(
    'refuses %s as a network, and says which one without repeating it',
    (text) => {
      const attempt = () => asked({ cidrs: `10.0.0.0/8 ${text}` });
      expect(attempt).toThrow(FieldRefused);
      expect(attempt).toThrow('Number 2 is not a network');
      expect(attempt).not.toThrow(text);
    },
  );

  it('refuses more than twenty networks', () => {
    expect(asked({ cidrs: '10.0.0.0/8 '.repeat(20) }).cidrs).toHaveLength(20);
    expect(() => asked({ cidrs: '10.0.0.0/8 '.repeat(21) })).toThrow('at most 20');
  });

  it.each(['0', '366', '-1', '1.5', '1e2', '0x10', 'ninety', '99999'])('refuses %s days', (days) => {
    expect(() => asked({ days })).toThrow('whole number from 1 to 365');
  });

  it('knows four scopes', () => {
    expect(scopeInput({ ...NEW_KEY, scope: 'agent-owner' })).toBe('agent-owner');
    expect(() => scopeInput({ ...NEW_KEY, scope: 'admin' })).toThrow(FieldRefused);
  });

  it('lets a rolled key go on for a week at most', () => {
    const overlap = (hours: string) => overlapInput('key_1', new URLSearchParams({ overlap_hours: hours }));
    expect([overlap('0'), overlap('168')]).toEqual([0, 168]);
    for (const hours of ['', '169', '-1']) expect(() => overlap(hours)).toThrow('whole number from 0 to 168');
  });

  it('shows values back only up to a length, and not those of a field that comes twice', () => {
    const typed = typedKey(
      new URLSearchParams([
        ['name', 'n'.repeat(9_000)],
        ['days', '1'],
        ['days', '2'],
      ]),
    );
    expect([typed.name.length, typed.days]).toEqual([2_000, '']);
  });

  it('does not open a key to every network because the networks come twice, nor to a wider one by cutting', () => {
    const twice = new URLSearchParams([
      ['cidrs', '10.0.0.0/24'],
      ['cidrs', '192.0.2.7'],
    ]);
    expect(asked({ cidrs: typedKey(twice).cidrs }).cidrs).toEqual(['10.0.0.0/24', '192.0.2.7/32']);
    const long = new URLSearchParams([['cidrs', `10.0.0.0/8${' '.repeat(1_980)}10.0.0.0/24`]]);
    expect(asked({ cidrs: typedKey(long).cidrs }).cidrs).toEqual(['10.0.0.0/8', '10.0.0.0/24']);
  });
});
