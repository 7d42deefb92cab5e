import { formatMoney, withTwoDecimals } from './format-money.js';

it.each([
  [0n, '0.00'],
  [250_000_000n, '250.00'],
  [1_500_000n, '1.50'],
  [1_234_567n, '1.234567'],
  [10_000n, '0.01'],
])('%d base units are %s', (units, text) => expect(formatMoney(units)).toBe(text));

it.each([
  ['60', '60.00'],
  ['60.5', '60.50'],
  ['0.123456', '0.123456'],
])('%s is written %s', (amount, text) => expect(withTwoDecimals(amount)).toBe(text));
