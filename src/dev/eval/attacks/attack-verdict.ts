import { createHash } from 'node:crypto';
import { WALK_DAMPING } from '../../../modules/reputation/score/reputation-constants.js';
import { evidenceOfBuyer, type Reputation, reputationOf } from '../../../modules/reputation/score/score.js';
import { dealCohorts } from '../../../modules/reputation/trust/cohorts.js';
import { medianIndependence } from '../../../modules/reputation/trust/independence.js';
import { type MoneyGraph, moneyGraphOf } from '../../../modules/reputation/trust/money-graph.js';
import { Payments } from '../../../modules/reputation/trust/payments.js';
import { type Trust, walksOf } from '../../../modules/reputation/trust/trust-walk.js';
import type { Attack } from './attack-kinds.js';
import type { Deal, Market } from '../market/trade-market.js';

/** A market with its attackers, and the results of the production trust run on it. */
export interface JudgedMarket {
  principals: number;
  deals: readonly Deal[];
  graph: MoneyGraph;
  /** Anchor principals with their cohort. */
  anchors: ReadonlyMap<number, number>;
  cohorts: readonly Trust[];
  independence: Float64Array;
}

/** An arbitrary moment: all work has the same time, so it does not fade. */
const NOW = new Date(Date.UTC(2026, 10, 20));
/** Relative tolerance when the bound is checked, because the graph keeps weights with 24 bits. */
const ROUNDING = 1e-6;

/** Runs the production trust code on the market with these attackers. `anchored` false: without verified buyers. */
export function judge(market: Market, attacks: readonly Attack[], seed: number, anchored = true): JudgedMarket {
  const principals = attacks.reduce((sum, attack) => sum + attack.principals, market.principals);
  const deals = [...market.deals, ...attacks.flatMap((attack) => attack.deals)];
  const payments = new Payments(deals.length);
  for (const { buyer, worker, amount } of deals) payments.add(buyer, worker, amount);
  const graph = moneyGraphOf(payments, principals);
  const verified = anchored ? [...market.anchors, ...attacks.flatMap((attack) => attack.anchors)] : [];
  const anchors = dealCohorts(
    graph,
    verified.map((principal) => ({ principal, key: keyOf(seed, principal) })),
  );
  const cohorts = walksOf(graph, anchors);
  return {
    principals,
    deals,
    graph,
    anchors: new Map(anchors.map(({ principal, cohort }) => [principal, cohort])),
    cohorts,
    independence: medianIndependence(cohorts, principals),
  };
}

/** Reputations of these agents by the production formula, in the same order. */
export function reputationsOf(judged: JudgedMarket, agents: readonly number[], anchored = true): Reputation[] {
  const wanted = new Set(agents);
  const paid = new Map<number, Map<number, bigint>>();
  for (const { buyer, worker, amount } of judged.deals) {
    if (!wanted.has(worker) && !wanted.has(buyer)) continue;
    const buyers = paid.get(worker) ?? new Map<number, bigint>();
    paid.set(worker, buyers.set(buyer, (buyers.get(buyer) ?? 0n) + BigInt(amount)));
  }
  return agents.map((agent) => {
    const buyers = [...(paid.get(agent) ?? [])].map(([buyer, gross]) => {
      const back = paid.get(buyer)?.get(agent) ?? 0n;
      const work = evidenceOfBuyer([
        { amount: gross, released: gross, outcome: 'accepted', settledAt: NOW, isPresentWallet: true },
      ]);
      const netValue = gross > back ? gross - back : 0n;
      return { ...work, netValue, independence: judged.independence[buyer] ?? null };
    });
    return reputationOf(buyers, NOW, anchored);
  });
}

/** The bound of docs/decisions/ranking.md#bound-on-attacks, checked for one attacker and one cohort. */
export interface BoundCheck {
  /** Independent value of the attacker's principals by this cohort, base units. */
  value: number;
  bound: number;
  /** Net money between the attacker and the honest market, in both directions, base units. */
  cut: number;
  violated: boolean;
}

/** Checks every cohort in which the attacker has no anchor; the bound holds only for these. */
export function checkBounds(judged: JudgedMarket, attack: Attack): BoundCheck[] {
  const own = new Set(attack.anchors.map((anchor) => judged.anchors.get(anchor)));
  return judged.cohorts.filter((_, cohort) => !own.has(cohort)).map((trust) => checkBound(judged, attack, trust));
}

function checkBound({ graph, deals }: JudgedMarket, attack: Attack, { tau, reference }: Trust): BoundCheck {
  const isOwn = (principal: number): boolean =>
    principal >= attack.first && principal < attack.first + attack.principals;
  let [reached, cut] = [0, 0];
  for (let i = attack.first; i < attack.first + attack.principals; i += 1) {
    for (let edge = graph.offsets[i] ?? 0; edge < (graph.offsets[i + 1] ?? 0); edge += 1) {
      const honest = graph.neighbours[edge] ?? 0;
      if (isOwn(honest)) continue;
      const weight = graph.weights[edge] ?? 0;
      cut += weight;
      reached += reference > 0 ? (weight * (tau[honest] ?? 0)) / reference : 0;
    }
  }
  let [value, earned] = [0, 0];
  for (const { buyer, net } of netPaidTo(deals, isOwn)) {
    value += net * (reference > 0 ? Math.min(1, (tau[buyer] ?? 0) / reference) : 0);
    if (!isOwn(buyer)) earned += net;
  }
  const bound = (WALK_DAMPING / (1 - WALK_DAMPING)) * reached + earned;
  return { value, bound, cut, violated: value > bound * (1 + ROUNDING) };
}

/** What each buyer paid each of these workers, less what the worker paid back; only amounts above 0. */
function netPaidTo(deals: readonly Deal[], isWorker: (principal: number) => boolean): { buyer: number; net: number }[] {
  const sums = new Map<string, { buyer: number; worker: number; net: number }>();
  for (const { buyer, worker, amount } of deals) {
    for (const [from, to, sign] of [
      [buyer, worker, 1],
      [worker, buyer, -1],
    ] as const) {
      if (!isWorker(to)) continue;
      const key = `${from} ${to}`;
      const known = sums.get(key) ?? { buyer: from, worker: to, net: 0 };
      sums.set(key, { ...known, net: known.net + sign * amount });
    }
  }
  return [...sums.values()].filter(({ net }) => net > 0);
}

/** Deals the anchors into cohorts. The service uses an HMAC with a secret key; here the seed is the key. */
function keyOf(seed: number, principal: number): string {
  return createHash('sha256').update(`${seed} ${principal}`).digest('hex');
}
