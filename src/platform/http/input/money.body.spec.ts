import 'reflect-metadata';
import { checkedInstance } from './input-shape.js';
import { MoneyBody, MoneyMember, unitsOf } from './money.body.js';

class Priced {
  @MoneyMember('What it costs.')
  price!: MoneyBody;
}

function reasonFor(body: object): string {
  try {
    checkedInstance(Priced, body, 'invalid_body');
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
}

const priced = (amount: unknown, currency: unknown = 'USDC') => reasonFor({ price: { amount, currency } });

describe('money in a body', () => {
  it.each([
    ['250', 250_000_000n],
    ['250.5', 250_500_000n],
    ['250.00', 250_000_000n],
    ['0.000001', 1n],
    ['1000000000000', 10n ** 18n],
    ['0001000000000000.000000', 10n ** 18n],
    ['999999999999.999999', 10n ** 18n - 1n],
  ])('%s is that many base units, exactly', (amount, units) => {
    const { price } = checkedInstance(Priced, { price: { amount, currency: 'USDC' } }, 'invalid_body') as Priced;
    expect(unitsOf(price)).toBe(units);
  });

  it.each([
    '0',
    '0.00',
    '-1',
    '+1',
    '1e3',
    '1.',
    '.5',
    ' 1',
    '1,00',
    '0x10',
    '1.0000001',
    '',
    '٣',
    1,
    1.5,
    null,
    [],
    {},
  ])('refuses the amount %p', (amount) => {
    expect(priced(amount)).toMatch(/^price\.amount is a decimal text greater than zero/);
  });

  it('refuses more than 10^12 USDC, and texts that are long on purpose', () => {
    for (const amount of ['1000000000000.000001', '1000000000001', '79228162514264337593543.950335']) {
      expect(priced(amount)).toMatch(/^price\.amount/);
    }
    expect(priced('9'.repeat(50_000))).toMatch(/^price\.amount/);
  });

  it.each(['usdc', 'EUR', '', null, 1])('refuses the currency %p', (currency) => {
    expect(priced('1', currency)).toBe('price.currency is USDC.');
  });

  it('takes one object and nothing else', () => {
    expect(reasonFor({})).toBe('price is required.');
    for (const price of [null, '1', 1, true, [{ amount: '1', currency: 'USDC' }]]) {
      expect(reasonFor({ price })).not.toBe('taken');
    }
    expect(reasonFor({ price: { amount: '1', currency: 'USDC', note: 'x' } })).toBe(
      'The body has a member "price.note", which is not known.',
    );
  });
});
