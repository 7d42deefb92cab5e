import { EVIDENCE_EPOCH_MS } from './reputation-constants.js';
import { type BuyerEvidence, evidenceOfBuyer, movedSums, reputationOf, sayingOf, type Settlement } from './score.js';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

function settlement(change: Partial<Settlement> & { daysAgo?: number } = {}): Settlement {
  const { daysAgo = 0, ...rest } = change;
  return {
    amount: 100_000_000n,
    released: 100_000_000n,
    outcome: 'accepted',
    settledAt: new Date(NOW.getTime() - daysAgo * DAY_MS),
    isPresentWallet: true,
    ...rest,
  };
}

const FAILED = { released: 0n, outcome: 'rejection_final' };

/** A buyer with these settlements. The default net value is everything that was released. */
function buyer(settlements: readonly Settlement[], independence: number | null = 1, netValue?: bigint): BuyerEvidence {
  const work = evidenceOfBuyer(settlements);
  return { ...work, independence, netValue: netValue ?? work.grossValue };
}

function scoreOf(settlements: readonly Settlement[], independence: number | null = 1): number {
  return reputationOf([buyer(settlements, independence)], NOW, true).score;
}

describe('the score of an agent', () => {
  it('without history is the prior, with no confidence, no value and no buyers', () => {
    expect(reputationOf([], NOW, true)).toEqual({
      score: 0.8,
      careerScore: 0.8,
      recentScore: 0.8,
      independenceConfidence: 0,
      settledValue: 0n,
      independentValue: 0n,
      settlements: 0,
      buyers: 0,
      independentBuyers: 0,
      pendingBuyers: 0,
    });
  });

  it('after one success just now is (1 + 0.8) / 2 on both time scales', () => {
    const { score, careerScore, recentScore } = reputationOf([buyer([settlement()])], NOW, true);
    expect([score, careerScore, recentScore]).toEqual([0.9, 0.9, 0.9]);
  });

  it('after one failure just now is 0.8 / 2', () => {
    expect(scoreOf([settlement(FAILED)])).toBe(0.4);
  });

  it('counts an abandonment, said in time, half as bad as another failure: 0.8 / 1.5', () => {
    expect(scoreOf([settlement({ released: 0n, outcome: 'abandoned' })])).toBe(0.5333);
  });

  it('counts a split by the share that was released: (0.25 + 0.8) / 2', () => {
    expect(scoreOf([settlement({ released: 25_000_000n, outcome: 'ruled' })])).toBe(0.525);
  });

  it('forgets at two speeds: 365 days for the career, 60 days for the recent part', () => {
    // 60 days ago: career weight 2^(-60/365) = 0.89231..., recent weight 0.5.
    const { careerScore, recentScore, score } = reputationOf(
      [buyer([settlement({ ...FAILED, daysAgo: 60 })])],
      NOW,
      true,
    );
    expect(careerScore).toBeCloseTo(0.8 / (1 + 2 ** (-60 / 365)), 4);
    expect(recentScore).toBeCloseTo(0.8 / 1.5, 4);
    expect(score).toBeCloseTo((0.4 * 0.8) / (1 + 2 ** (-60 / 365)) + (0.6 * 0.8) / 1.5, 4);
  });

  it('drifts back to the prior when nothing more happens', () => {
    const evidence = [buyer([settlement(FAILED)])];
    const later = [0, 60, 365, 3650, 36_500].map(
      (days) => reputationOf(evidence, new Date(NOW.getTime() + days * DAY_MS), true).score,
    );
    expect(later.toSorted((a, b) => a - b)).toEqual(later);
    expect(later.at(-1)).toBe(0.8);
  });

  it('counts further work for one buyer within 30 days half as much each time', () => {
    // 1 + 1/2 + 1/4 units of success: (1.75 + 0.8) / 2.75
    expect(scoreOf([settlement(), settlement(), settlement()])).toBe(0.9273);
    const others = [1, 2, 3].map(() => buyer([settlement()]));
    expect(reputationOf(others, NOW, true).score).toBe(0.95);
  });

  it('limits one buyer to two units of evidence in a month, however often it pays', () => {
    const { recent } = evidenceOfBuyer(Array.from({ length: 5000 }, () => settlement()));
    const scale = 2 ** ((NOW.getTime() - EVIDENCE_EPOCH_MS) / DAY_MS / 60);
    expect(recent.good / scale).toBeCloseTo(2, 9);
  });

  it('counts work for one buyer in full again after 30 days', () => {
    const unit = (daysAgo: number) => evidenceOfBuyer([settlement({ daysAgo }), settlement()]).career.good;
    const alone = evidenceOfBuyer([settlement()]).career.good;
    const earlier = evidenceOfBuyer([settlement({ daysAgo: 30 })]).career.good;
    expect(unit(30)).toBeCloseTo(earlier + alone, 9);
    expect(unit(29)).toBeLessThan(earlier + alone);
  });
});

describe('independence of buyers', () => {
  it('weighs good work: a buyer without independence adds nothing good', () => {
    expect(scoreOf([settlement()], 0)).toBe(0.8);
    // (0.5 + 0.8) / 1.5
    expect(scoreOf([settlement()], 0.5)).toBe(0.8667);
  });

  it('weighs bad work at least half: 0.8 / 1.5 from a buyer without independence', () => {
    expect(scoreOf([settlement(FAILED)], 0)).toBe(0.5333);
    // Weight 0.5 + 0.5 * 0.5: 0.8 / 1.75
    expect(scoreOf([settlement(FAILED)], 0.5)).toBe(0.4571);
  });

  it('is 0 for a buyer that no run has seen, which counts as pending', () => {
    const reputation = reputationOf([buyer([settlement()], null), buyer([settlement()], 1)], NOW, true);
    expect(reputation).toMatchObject({ buyers: 2, independentBuyers: 1, pendingBuyers: 1, score: 0.9 });
    expect(reputation.independentValue).toBe(100_000_000n);
  });

  it('counts a buyer as independent from 0.5', () => {
    const buyers = [0.4999, 0.5, 1].map((independence) => buyer([settlement()], independence));
    expect(reputationOf(buyers, NOW, true).independentBuyers).toBe(2);
  });

  it('without verified buyers is 1 for everybody, which caps the confidence at 0.5', () => {
    const buyers = Array.from({ length: 40 }, () => buyer([settlement()], 0));
    const reputation = reputationOf(buyers, NOW, false);
    expect(reputation).toMatchObject({ independenceConfidence: 0.5, pendingBuyers: 0, independentBuyers: 40 });
    expect(reputation.independentValue).toBe(reputation.settledValue);
    expect(reputationOf(buyers, NOW, true).independenceConfidence).toBe(0);
  });
});

describe('the confidence in independence', () => {
  const paid = (netValue: bigint, independence: number) => buyer([settlement()], independence, netValue);

  it('is shrunk by three units of evidence, of which 50 USDC is one', () => {
    expect(reputationOf([paid(50_000_000n, 1)], NOW, true).independenceConfidence).toBe(0.25);
    expect(reputationOf([paid(50_000_000n, 0.5)], NOW, true).independenceConfidence).toBe(0.125);
  });

  it('takes at most four units from one buyer: 750 USDC says as much as a million', () => {
    const of = (value: bigint) => reputationOf([paid(value, 1)], NOW, true).independenceConfidence;
    // 4 / (4 + 3)
    expect([of(750_000_000n), of(10n ** 12n), of(10n ** 30n)]).toEqual([0.5714, 0.5714, 0.5714]);
  });

  it('falls when unknown buyers are added to a known one', () => {
    // 1 / (1 + 1 + 3)
    expect(reputationOf([paid(50_000_000n, 1), paid(50_000_000n, 0)], NOW, true).independenceConfidence).toBe(0.2);
  });

  it('gives nothing for what was paid back', () => {
    const reputation = reputationOf([paid(0n, 1)], NOW, true);
    expect(reputation).toMatchObject({ independenceConfidence: 0, independentValue: 0n, settledValue: 100_000_000n });
  });
});

describe('values', () => {
  it('are added exactly, beyond what a float can hold', () => {
    const huge = 2n ** 60n + 1n;
    const one = settlement({ amount: huge, released: huge });
    const reputation = reputationOf([buyer([one, settlement({ released: 1n })])], NOW, true);
    expect(reputation.settledValue).toBe(2n ** 60n + 2n);
    expect(reputation.independentValue).toBe(2n ** 60n + 2n);
  });

  it('count as independent to a millionth, downwards', () => {
    expect(reputationOf([buyer([settlement()], 0.1234567, 1_000_001n)], NOW, true).independentValue).toBe(123_456n);
  });
});

describe('any history', () => {
  /** A repeatable mix of outcomes and of buyers. */
  const history = (seed: number) =>
    Array.from({ length: 13 }, (_, member) => {
      const settlements = Array.from({ length: 40 }, (_unused, n) =>
        settlement({
          daysAgo: 800 - n * 19 - ((seed * member) % 7),
          outcome: ['accepted', 'rejection_final', 'abandoned', 'ruled'][(n + seed) % 4] ?? '',
          released: BigInt((n * 7919 * seed + member * 104_729) % 100_000_001),
        }),
      );
      return { settlements, independence: ((member * seed) % 11) / 10 };
    });

  it.each([1, 2, 3, 5, 8])('gives figures between 0 and 1 (history %i)', (seed) => {
    const buyers = history(seed).map(({ settlements, independence }) => buyer(settlements, independence));
    for (const anchored of [true, false]) {
      const { score, careerScore, recentScore, independenceConfidence } = reputationOf(buyers, NOW, anchored);
      for (const figure of [score, careerScore, recentScore, independenceConfidence]) {
        expect(figure).toBeGreaterThanOrEqual(0);
        expect(figure).toBeLessThanOrEqual(1);
      }
    }
  });

  it.each([1, 2, 3, 5, 8])('gives the same whatever the order of buyers (history %i)', (seed) => {
    const buyers = history(seed).map(({ settlements, independence }) => buyer(settlements, independence));
    const once = reputationOf(buyers, NOW, true);
    expect(reputationOf(buyers.toReversed(), NOW, true)).toEqual(once);
    expect(reputationOf([...buyers.slice(5), ...buyers.slice(0, 5)], NOW, true)).toEqual(once);
  });

  it.each([1, 2, 3, 5, 8])('adds up buyers to the last digit, in any order and one at a time (history %i)', (seed) => {
    const buyers = history(seed).map(({ settlements, independence }, member) => {
      return buyer(settlements, member === 4 ? null : independence, BigInt(member * seed) * 71_234_567n);
    });
    for (const anchored of [true, false]) {
      const whole = sayingOf(buyers, anchored);
      expect(sayingOf(buyers.toReversed(), anchored)).toEqual(whole);
      const nobody = sayingOf([], anchored);
      let moved = buyers.reduce((sums, after) => movedSums(sums, { before: null, after }, anchored), nobody);
      expect(moved).toEqual(whole);
      const changed = buyers.map((one, n) => ({
        ...one,
        netValue: one.netValue / 3n,
        settlements: one.settlements + n,
      }));
      for (const [n, before] of buyers.entries()) {
        moved = movedSums(moved, { before, after: changed[n] ?? null }, anchored);
      }
      expect(moved).toEqual(sayingOf(changed, anchored));
      for (const before of changed) moved = movedSums(moved, { before, after: null }, anchored);
      expect(moved).toEqual(nobody);
    }
  });

  it.each([1, 2, 3, 5, 8])('weighs each buyer as the formula does (history %i)', (seed) => {
    const buyers = history(seed).map(({ settlements, independence }) => buyer(settlements, independence));
    let [good, bad, independent, all] = [0, 0, 0, 0];
    for (const { career, independence, netValue } of buyers) {
      const units = Math.min(4, Math.log2(1 + Number(netValue) / 50_000_000));
      good += (independence ?? 0) * career.good;
      bad += (0.5 + 0.5 * (independence ?? 0)) * career.bad;
      independent += (independence ?? 0) * units;
      all += units;
    }
    const factor = 2 ** ((NOW.getTime() - EVIDENCE_EPOCH_MS) / DAY_MS / 365);
    const { careerScore, independenceConfidence } = reputationOf(buyers, NOW, true);
    expect(careerScore).toBe(Math.round((10_000 * (good / factor + 0.8)) / ((good + bad) / factor + 1)) / 10_000);
    expect(independenceConfidence).toBe(Math.round((10_000 * independent) / (all + 3)) / 10_000);
  });

  it.each([1, 2, 3, 5, 8])('decays forward as the direct sum does (history %i)', (seed) => {
    for (const { settlements } of history(seed)) {
      const { career, recent } = evidenceOfBuyer(settlements);
      for (const [sums, halfLife] of [
        [career, 365],
        [recent, 60],
      ] as const) {
        const scale = 2 ** ((NOW.getTime() - EVIDENCE_EPOCH_MS) / DAY_MS / halfLife);
        let [good, bad] = [0, 0];
        for (const [n, { settledAt, amount, released, outcome }] of settlements.entries()) {
          const within = settlements
            .slice(0, n)
            .filter((earlier) => earlier.settledAt.getTime() > settledAt.getTime() - 30 * DAY_MS).length;
          const age = (NOW.getTime() - settledAt.getTime()) / DAY_MS;
          const weight = 2 ** (-age / halfLife) * 2 ** -within;
          const success = Math.min(1, Number(released) / Number(amount));
          good += weight * success;
          bad += weight * (1 - success) * (outcome === 'abandoned' ? 0.5 : 1);
        }
        expect(Math.abs(sums.good / scale - good)).toBeLessThan(1e-9);
        expect(Math.abs(sums.bad / scale - bad)).toBeLessThan(1e-9);
      }
    }
  });
});
