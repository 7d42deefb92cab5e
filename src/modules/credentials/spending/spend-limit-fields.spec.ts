import { LimitRefused, limitsIn, limitTexts, NO_TYPED_LIMITS, typedLimits } from './spend-limit-fields.js';
import { NO_LIMITS } from './spend-limits.js';

const ADA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const read = (change: Partial<typeof NO_TYPED_LIMITS>) => limitsIn({ ...NO_TYPED_LIMITS, ...change });

describe('the fields of limits', () => {
  it('limit nothing when they are empty, and everything when they say zero', () => {
    expect(read({})).toEqual(NO_LIMITS);
    expect(read({ per_payment: '0', per_day: '0', total: '0' })).toMatchObject({
      perPayment: 0n,
      perDay: 0n,
      inTotal: 0n,
    });
  });

  it('are filled in again as they are read', () => {
    const typed = {
      per_payment: '25',
      per_day: '100.000001',
      total: '1000',
      counterparties: `${ADA},\n${BOB.toLowerCase()}`,
    };
    const limits = limitsIn(typed);
    expect(limits).toEqual({
      perPayment: 25_000_000n,
      perDay: 100_000_001n,
      inTotal: 1_000_000_000n,
      counterparties: [ADA, BOB],
    });
    expect(limitsIn(limitTexts(limits))).toEqual(limits);
  });

  it.each([
    ['per_payment', '1,000'],
    ['per_day', '-1'],
    ['total', '1.0000001'],
    ['total', '1000000000001'],
    ['counterparties', '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'],
    ['counterparties', `${ADA} ada.eth`],
    ['counterparties', `${ADA} `.repeat(51)],
  ])('refuse as %s: %s', (field, text) => {
    const attempt = () => read({ [field]: text });
    expect(attempt).toThrow(LimitRefused);
    expect(attempt).toThrow(expect.objectContaining({ field }));
    expect(attempt).not.toThrow(text);
  });

  it('do not lose a limit that is sent twice, and keep every wallet', () => {
    const twice = new URLSearchParams([
      ['per_day', '5'],
      ['per_day', ''],
      ['total', '5'],
      ['total', '500'],
      ['counterparties', ADA],
      ['counterparties', BOB],
    ]);
    const typed = typedLimits(twice);
    expect(typed).toMatchObject({ per_day: '5', total: '5 500' });
    expect(() => limitsIn(typed)).toThrow(expect.objectContaining({ field: 'total' }));
    expect(limitsIn({ ...typed, total: '' }).counterparties).toEqual([ADA, BOB]);
  });
});
