import { dayOf, isNoWider, NO_LIMITS, nextDay, spendFault, type SpendLimits } from './spend-limits.js';

const ADA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const NOON = Date.parse('2026-11-27T12:00:00Z');
const MIDNIGHT = new Date('2026-11-28T00:00:00Z');

const limited = (limits: Partial<SpendLimits>): SpendLimits => ({ ...NO_LIMITS, ...limits });
const fault = (limits: Partial<SpendLimits>, amount: bigint, spent = { today: 0n, inTotal: 0n }) =>
  spendFault(limited(limits), spent, { amount, to: ADA }, NOON);

describe('a spend policy', () => {
  it.each([
    ['nothing limits', {}, 2n ** 200n, undefined],
    ['is exactly the most of a payment', { perPayment: 25n }, 25n, undefined],
    ['takes exactly what is left of the day', { perDay: 25n }, 5n, { today: 20n, inTotal: 90n }],
    ['takes exactly what is left of the total', { inTotal: 25n }, 5n, { today: 0n, inTotal: 20n }],
    ['is of nothing, when nothing is left', { perDay: 25n, inTotal: 25n }, 0n, { today: 25n, inTotal: 25n }],
    [
      'is of nothing, where limits were lowered below what was spent',
      { perDay: 5n, inTotal: 5n },
      0n,
      { today: 25n, inTotal: 25n },
    ],
    ['goes to a wallet that is named', { counterparties: [BOB, ADA] }, 1n, undefined],
  ])('allows a payment that %s', (_, limits, amount, spent) => {
    expect(fault(limits, amount, spent)).toBeNull();
  });

  it('refuses one base unit more, and says what is left and when it refills', () => {
    expect(fault({ perPayment: 25n }, 26n)).toEqual({ limit: 'per_payment', most: 25n, left: 25n, refillsAt: null });
    const spent = { today: 20n, inTotal: 20n };
    expect(fault({ perDay: 25n }, 6n, spent)).toEqual({ limit: 'per_day', most: 25n, left: 5n, refillsAt: MIDNIGHT });
    expect(fault({ inTotal: 25n }, 6n, spent)).toEqual({ limit: 'total', most: 25n, left: 5n, refillsAt: null });
  });

  it('names the limit that never refills before the one that does', () => {
    expect(fault({ perDay: 1n, inTotal: 1n }, 2n)).toMatchObject({ limit: 'total' });
  });

  it('leaves nothing, and not less, where it was lowered below what was spent', () => {
    expect(fault({ perDay: 5n }, 1n, { today: 20n, inTotal: 20n })).toMatchObject({ left: 0n });
  });

  it('refuses a wallet that is not named, however little it gets, and any wallet when none is named', () => {
    expect(fault({ counterparties: [BOB] }, 0n)).toEqual({ limit: 'counterparties' });
    expect(fault({ counterparties: [] }, 0n)).toEqual({ limit: 'counterparties' });
  });
});

it('a day begins at midnight in UTC and ends a millisecond before the next', () => {
  const start = MIDNIGHT.getTime();
  expect([dayOf(start - 1), dayOf(start)]).toEqual(['2026-11-27', '2026-11-28']);
  expect([nextDay(start - 1), nextDay(start)]).toEqual([MIDNIGHT, new Date('2026-11-29T00:00:00Z')]);
});

describe('limits are no wider than others', () => {
  const before = limited({ perPayment: 5n, perDay: 10n, counterparties: [ADA, BOB] });

  it.each([
    ['when they are the same', {}],
    ['when they are lower', { perPayment: 4n, perDay: 0n, counterparties: [BOB] }],
    ['when there is one more', { inTotal: 1_000n }],
    ['when nobody is left who may be paid', { counterparties: [] }],
  ])('%s', (_, change) => expect(isNoWider(before, { ...before, ...change })).toBe(true));

  it.each([
    ['one is higher', { perPayment: 6n }],
    ['one is gone', { perDay: null }],
    ['somebody else may be paid', { counterparties: [ADA, '0x0000000000000000000000000000000000000001'] }],
    ['anybody may be paid', { counterparties: null }],
  ])('but not when %s', (_, change) => expect(isNoWider(before, { ...before, ...change })).toBe(false));

  it('takes anything as narrower than no limits', () => expect(isNoWider(NO_LIMITS, before)).toBe(true));
});
