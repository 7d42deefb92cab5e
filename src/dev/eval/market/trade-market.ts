import type { AlphaNetwork } from '../reputation/alpha-ratings.js';
import type { Seeded } from '../statistics/seeded.js';

/** One settlement: a payment from one principal to another for work, in base units. */
export interface Deal {
  buyer: number;
  worker: number;
  amount: number;
}

/** The honest trade that attacks are added to, with the verified buyers. */
export interface Market {
  principals: number;
  deals: readonly Deal[];
  /** Principals that bought something. */
  buyers: readonly number[];
  /** Principals that were paid, the highest sum first. */
  workers: readonly number[];
  anchors: readonly number[];
}

const USDC = 1_000_000;
/** Amounts are lognormal: half of the deals are below 50 USDC, one in six above 165. */
const MEDIAN_USDC = 50;
const SPREAD = 1.2;
const ANCHOR_SHARE = 0.05;

/** Sizes of the invented market. `fameSpread` is the lognormal spread of how often each principal is drawn. */
const SYNTHETIC = { buyers: 900, workers: 500, deals: 6_000, subcontracted: 0.15, fameSpread: 1.5 } as const;

/** An amount in USDC as base units. */
export function usdc(amount: number): number {
  return Math.round(amount * USDC);
}

/** A random amount of an honest deal, in base units. */
export function chanceAmount(chance: Seeded): number {
  return Math.max(1, usdc(MEDIAN_USDC * Math.exp(SPREAD * chance.normal())));
}

/** A market of buyers and workers; some workers subcontract a part of a deal. */
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
 * A market with the graph of Bitcoin Alpha. Each pair of members has one deal: the member that first gave the other a
 * good rating is the buyer. Amounts are random, because the network has none.
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

/** Returns a function that draws a number below `count`, with lognormal weights. */
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
