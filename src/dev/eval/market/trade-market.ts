import type { AlphaNetwork } from '../reputation/alpha-ratings.js';
import type { Seeded } from '../statistics/seeded.js';

/** One settlement: what one principal paid another for work, base units. */
export interface Deal {
  buyer: number;
  worker: number;
  amount: number;
}

/** Honest trade to attack, and who of its buyers the operator has verified. */
export interface Market {
  principals: number;
  deals: readonly Deal[];
  /** Principals that bought something. */
  buyers: readonly number[];
  /** Principals that were paid, by what they got, the most first. */
  workers: readonly number[];
  anchors: readonly number[];
}

const USDC = 1_000_000;
/** Amounts are lognormal: half of the deals are below 50 USDC, one in six above 165. */
const MEDIAN_USDC = 50;
const SPREAD = 1.2;
const ANCHOR_SHARE = 0.05;

/** The invented market: so many of each, with activity and fame lognormal too. */
const SYNTHETIC = { buyers: 900, workers: 500, deals: 6_000, subcontracted: 0.15, fameSpread: 1.5 } as const;

/** Base units of so many USDC. */
export function usdc(amount: number): number {
  return Math.round(amount * USDC);
}

/** What an honest deal may be worth, base units. */
export function chanceAmount(chance: Seeded): number {
  return Math.max(1, usdc(MEDIAN_USDC * Math.exp(SPREAD * chance.normal())));
}

/** Buyers, workers, and workers who hand a part of their work on to others. */
export function syntheticMarket(chance: Seeded): Market {
  const { buyers, workers, deals: count, subcontracted, fameSpread } = SYNTHETIC;
  const principals = buyers + workers;
  const buyer = drawer(buyers, fameSpread, chance);
  const worker = drawer(workers, fameSpread, chance);
  const deals: Deal[] = [];
  while (deals.length < count) {
    const [from, to, amount] = [buyer(), buyers + worker(), chanceAmount(chance)];
    deals.push({ buyer: from, worker: to, amount });
    const helper = buyers + worker();
    if (helper !== to && chance.chance(subcontracted)) {
      deals.push({ buyer: to, worker: helper, amount: Math.ceil(amount * chance.between(0.2, 0.6)) });
    }
  }
  return marketOf(principals, deals, chance);
}

/**
 * Who dealt with whom on Bitcoin Alpha: each pair of members one deal, of whoever rated first and well for the other,
 * with an amount of chance, as the network has none.
 */
export function alphaMarket({ members, ratings }: AlphaNetwork, chance: Seeded): Market {
  const pairs = new Set<number>();
  const deals: Deal[] = [];
  for (const { rater, ratee, weight } of ratings) {
    const pair = Math.min(rater, ratee) * members + Math.max(rater, ratee);
    if (weight <= 0 || rater === ratee || pairs.has(pair)) continue;
    pairs.add(pair);
    deals.push({ buyer: rater, worker: ratee, amount: chanceAmount(chance) });
  }
  return marketOf(members, deals, chance);
}

function marketOf(principals: number, deals: readonly Deal[], chance: Seeded): Market {
  const earned = new Map<number, number>();
  for (const { worker, amount } of deals) earned.set(worker, (earned.get(worker) ?? 0) + amount);
  const buyers = [...new Set(deals.map(({ buyer }) => buyer))];
  return {
    principals,
    deals,
    buyers,
    workers: [...earned].sort(([a, one], [b, other]) => other - one || a - b).map(([worker]) => worker),
    anchors: chance.sample(buyers, Math.round(buyers.length * ANCHOR_SHARE)),
  };
}

/** Draws one of so many, some of them far more often than others. */
function drawer(count: number, spread: number, chance: Seeded): () => number {
  const sums = new Float64Array(count);
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    total += Math.exp(spread * chance.normal());
    sums[i] = total;
  }
  return () => {
    const goal = chance.next() * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) > goal) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
