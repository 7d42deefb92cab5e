import {
  formatUsdc,
  MAX_REQUESTED_UNITS,
  MAX_USDC_UNITS,
  moneyJson,
  parsePositiveUsdc,
  parseUsdc,
  POSITIVE_AMOUNT_PATTERN,
} from './money.js';

test.each<[string, bigint]>([
  ['0', 0n],
  ['0.000001', 1n],
  ['1.5', 1_500_000n],
  ['250.00', 250_000_000n],
  ['1.234', 1_234_000n],
  ['007.10', 7_100_000n],
  ['9007199254.740993', 9_007_199_254_740_993n],
  ['18446744073709.551615', MAX_USDC_UNITS],
])('"%s" is %d base units', (text, units) => {
  expect(parseUsdc(text)).toBe(units);
});

test.each([
  '',
  ' ',
  '-1',
  '+1',
  '.5',
  '1.',
  '1,5',
  '1e3',
  '0x10',
  '1.0000001',
  ' 1',
  '1 ',
  '1\n',
  '١',
  'NaN',
  'Infinity',
  '1.2.3',
  '1_000',
])('%j is no amount', (text) => {
  expect(() => parseUsdc(text)).toThrow(SyntaxError);
});

test('an amount beyond uint64 is refused, and so is a text too long to be worth converting', () => {
  expect(() => parseUsdc('18446744073709.551616')).toThrow(RangeError);
  expect(() => parseUsdc('9'.repeat(60_000))).toThrow(SyntaxError);
});

test('zero is an amount, but not a positive one', () => {
  expect(() => parsePositiveUsdc('0.000000')).toThrow(RangeError);
  expect(parsePositiveUsdc('0.000001')).toBe(1n);
});

test.each<[bigint, string]>([
  [0n, '0.00'],
  [1n, '0.000001'],
  [10n, '0.00001'],
  [100n, '0.0001'],
  [1_000n, '0.001'],
  [10_000n, '0.01'],
  [100_000n, '0.10'],
  [1_500_000n, '1.50'],
  [1_234_000n, '1.234'],
  [250_000_000n, '250.00'],
  [1_000_000n, '1.00'],
  [MAX_USDC_UNITS, '18446744073709.551615'],
])('%d base units are shown as "%s"', (units, text) => {
  expect(formatUsdc(units)).toBe(text);
});

test('what is shown parses back to the same base units', () => {
  for (let units = 1n; units <= MAX_USDC_UNITS; units = units * 7n + 3n)
    expect(parseUsdc(formatUsdc(units))).toBe(units);
});

test('a negative amount is never shown', () => {
  expect(() => formatUsdc(-1n)).toThrow(RangeError);
});

test('money on the wire names its currency', () => {
  expect(moneyJson(1_500_000n)).toEqual({ amount: '1.50', currency: 'USDC' });
});

describe('an amount that a request names', () => {
  const takes = (text: string): boolean => {
    try {
      const units = parsePositiveUsdc(text);
      return units > 0n && units <= MAX_REQUESTED_UNITS;
    } catch {
      return false;
    }
  };
  const pattern = new RegExp(POSITIVE_AMOUNT_PATTERN);

  test.each<[string, boolean]>([
    ['1000000000000', true],
    ['1000000000000.0', true],
    ['1000000000000.000000', true],
    ['999999999999.999999', true],
    ['0.000001', true],
    ['00.5', true],
    ['0007', true],
    ['10.010000', true],
    ['0.100000', true],
    ['1000000000000.000001', false],
    ['1000000000001', false],
    ['9999999999999', false],
    ['0', false],
    ['0.0', false],
    ['00.000000', false],
    ['0.0000001', false],
    ['1.', false],
    ['.5', false],
    ['-1', false],
    ['1e3', false],
    ['', false],
  ])('%j: %s, by the program and by the pattern', (text, isTaken) => {
    expect([takes(text), pattern.test(text)]).toEqual([isTaken, isTaken]);
  });

  test('the program and the pattern agree on every short text of digits and points', () => {
    const symbols = ['0', '1', '.'];
    let texts = [''];
    for (let length = 0; length < 9; length += 1) {
      texts = texts.flatMap((text) => symbols.map((symbol) => text + symbol));
      expect(texts.filter((text) => takes(text) !== pattern.test(text))).toEqual([]);
    }
  });
});
