import { reputationOf, type Settlement } from './score.js';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

function settlement(change: Partial<Settlement> & { daysAgo?: number } = {}): Settlement {
  const { daysAgo = 0, ...rest } = change;
  return {
    payerAccountId: 'acct_buyer',
    workerAccountId: 'acct_worker',
    amount: 100_000_000n,
    released: 100_000_000n,
    outcome: 'accepted',
    settledAt: new Date(NOW.getTime() - daysAgo * DAY_MS),
    ...rest,
  };
}

describe('the reputation of an agent', () => {
  it('without history is the prior, with no confidence and no value', () => {
    expect(reputationOf([], NOW)).toEqual({ score: 0.8, independenceConfidence: 0, settledValue: 0n });
  });

  it('after one success just now is (1 + 0.8) / 2 on both time scales', () => {
    expect(reputationOf([settlement()], NOW).score).toBe(0.9);
  });

  it('after one failure just now is 0.8 / 2', () => {
    const failed = settlement({ released: 0n, outcome: 'rejection_final' });
    expect(reputationOf([failed], NOW)).toEqual({ score: 0.4, independenceConfidence: 0, settledValue: 0n });
  });

  it('counts an abandonment, said in time, half as bad as another failure: 0.8 / 1.5', () => {
    expect(reputationOf([settlement({ released: 0n, outcome: 'abandoned' })], NOW).score).toBe(0.5333);
  });

  it('takes a split for what was released of it: (0.25 + 0.8) / 2', () => {
    expect(reputationOf([settlement({ released: 25_000_000n, outcome: 'ruled' })], NOW).score).toBe(0.525);
  });

  it('forgets at two speeds: 365 days for the career, 60 days for the recent part', () => {
    // 60 days ago: career weight 2^(-60/365) = 0.89231..., recent weight 0.5.
    const career = 0.8 / (1 + 2 ** (-60 / 365));
    const recent = 0.8 / 1.5;
    const failed = settlement({ released: 0n, outcome: 'non_delivery', daysAgo: 60 });
    expect(reputationOf([failed], NOW).score).toBeCloseTo(0.4 * career + 0.6 * recent, 4);
  });

  it('counts further work for one buyer within 30 days half as much each time', () => {
    const sameBuyer = reputationOf([settlement(), settlement(), settlement()], NOW).score;
    // 1 + 1/2 + 1/4 units of success: (1.75 + 0.8) / 2.75
    expect(sameBuyer).toBe(0.9273);
    const others = reputationOf(
      [1, 2, 3].map((n) => settlement({ payerAccountId: `acct_${n}` })),
      NOW,
    ).score;
    expect(others).toBe(0.95);
    expect(others).toBeGreaterThan(sameBuyer);
  });

  it('counts work for one buyer in full again after 30 days', () => {
    const [within, after] = [29, 30].map((daysAgo) => reputationOf([settlement({ daysAgo }), settlement()], NOW).score);
    expect(after).toBeGreaterThan(within ?? 1);
  });

  it('ignores what an account pays to its own agent', () => {
    const self = settlement({ payerAccountId: 'acct_worker', amount: 10n ** 18n, released: 10n ** 18n });
    expect(reputationOf([settlement(), self], NOW)).toEqual(reputationOf([settlement()], NOW));
  });

  it('adds values exactly, beyond what a float can hold', () => {
    const huge = 2n ** 60n + 1n;
    const { settledValue } = reputationOf(
      [settlement({ amount: huge, released: huge }), settlement({ released: 1n })],
      NOW,
    );
    expect(settledValue).toBe(2n ** 60n + 2n);
  });

  it('shrinks confidence by three units of evidence: 50 USDC is one unit', () => {
    const { independenceConfidence } = reputationOf([settlement({ amount: 50_000_000n, released: 50_000_000n })], NOW);
    expect(independenceConfidence).toBe(0.25);
  });

  it('takes at most four units from one buyer and never more than 0.5 in all', () => {
    const amount = 10n ** 15n;
    const one = reputationOf([settlement({ amount, released: amount })], NOW);
    // 4 / (4 + 3) without the cap.
    expect(one.independenceConfidence).toBe(0.5);
    const many = Array.from({ length: 40 }, (_, n) => settlement({ payerAccountId: `acct_${n}` }));
    expect(reputationOf(many, NOW).independenceConfidence).toBe(0.5);
  });

  it('counts all payers without an account as one buyer, and not as the worker without one', () => {
    const unknown = settlement({ payerAccountId: null, workerAccountId: null });
    expect(reputationOf([unknown, unknown], NOW).score).toBe(reputationOf([settlement(), settlement()], NOW).score);
  });

  it('stays between 0 and 1 whatever the history', () => {
    const outcomes = ['accepted', 'rejection_final', 'abandoned', 'ruled'];
    const history = Array.from({ length: 500 }, (_, n) =>
      settlement({
        daysAgo: 500 - n,
        outcome: outcomes[n % 4] ?? '',
        released: BigInt((n * 7919) % 100_000_001),
        payerAccountId: `acct_${n % 13}`,
      }),
    );
    const { score, independenceConfidence } = reputationOf(history, NOW);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
    expect(independenceConfidence).toBeLessThanOrEqual(0.5);
  });
});
