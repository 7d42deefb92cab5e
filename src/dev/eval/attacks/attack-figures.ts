import { aucOf } from '../statistics/auc.js';
import { type Attack, type AttackKind, attackOf, type AttackSize } from './attack-kinds.js';
import { judge, reputationsOf } from './attack-verdict.js';
import { medianOf, percentileOf } from '../statistics/quantiles.js';
import { Seeded } from '../statistics/seeded.js';
import type { Market } from '../market/trade-market.js';

/** The contract's fee, as a share of every payment. */
const FEE = 0.02;
const USDC = 1_000_000;
const TOP_WORKERS = 200;
const DETECTED = 60;

const SIZE: AttackSize = { sybils: 20, washed: 20_000, camouflage: 1_000, sales: 3 };
/** Factor by which the washed amount grows while the real payments stay the same. */
const MORE_WASHED = 1_000;

/** The rows of the price list: the sizes of docs/decisions/ranking.md#prices-of-attacks. */
const PRICED: readonly { name: string; kind: AttackKind; change?: Partial<AttackSize> }[] = [
  { name: 'star: 20 sybil buyers, $20 k', kind: 'star' },
  { name: 'ping-pong, $20 k', kind: 'ping-pong' },
  { name: 'ring of 20, $20 k', kind: 'ring', change: { sybils: 19 } },
  { name: 'dense 20 × 4, $20 k', kind: 'dense' },
  { name: 'dense + $1,000 really paid', kind: 'camouflage' },
  { name: 'the same, $2 M washed', kind: 'camouflage', change: { washed: 2_000_000 } },
  { name: 'the same, $20 M washed', kind: 'camouflage', change: { washed: SIZE.washed * MORE_WASHED } },
  { name: 'dense + $5,000 really paid', kind: 'camouflage', change: { camouflage: 5_000 } },
  { name: 'star + 3 genuine sales', kind: 'genuine sales' },
  { name: '1 false anchor among the sybils', kind: '1 false anchor' },
  { name: '2 false anchors', kind: '2 false anchors' },
  { name: '3 false anchors', kind: '3 false anchors' },
];
const PLAIN_WASH = 4;
const THOUSANDFOLD_WASH = 6;

/** Cost and gain of one attack. Amounts in USDC. */
export interface Price {
  /** Fees and payments to honest workers; the washed money itself comes back to the attacker. */
  pays: number;
  /** Independent value of all of the attacker's agents together. */
  value: number;
  /**
   * This and the next two fields are of the agent that the attack promotes. Percentiles (0 to 1) compare it with the
   * honest agents of the market without the attack.
   */
  grossPercentile: number;
  independence: number;
  independencePercentile: number;
}

/** Figures of one market. */
export interface MarketFigures {
  /** In the order of `PRICED_ATTACKS`. */
  prices: Price[];
  /** Growth of independent value when a thousand times as much is washed with the same real payments. */
  washGrowth: number;
  /** AUC of separating the best tenth of honest agents, by gross value, from 60 attackers in the same market. */
  detection: { independence: number; gross: number };
  honest: HonestFigures;
}

export interface HonestFigures {
  /** Median confidence of the 200 workers of the highest value, and what it would be if every buyer were independent. */
  top: number;
  topCeiling: number;
  /** Share of all value that is independent. */
  share: number;
}

/** Names of the rows. */
export const PRICED_ATTACKS: readonly string[] = PRICED.map(({ name }) => name);

export function figuresOf(marketOf: (chance: Seeded) => Market, seed: number): MarketFigures {
  const chance = new Seeded(seed);
  const market = marketOf(chance);
  const untouched = judge(market, [], seed);
  const honest = reputationsOf(untouched, market.workers);
  const standing = {
    gross: honest.map(({ settledValue }) => Number(settledValue)),
    independence: honest.map(({ independenceConfidence }) => independenceConfidence),
  };
  const prices = PRICED.map(({ kind, change }) => {
    // Every row has the same seed, so rows that differ only in amounts have the same sybils and partners.
    const attack = attackOf(kind, { ...SIZE, ...change }, market, new Seeded(seed + 1));
    return priceOf(market, attack, standing, seed);
  });
  const all = { ...untouched, independence: new Float64Array(untouched.principals).fill(1) };
  const ceiling = reputationsOf(all, market.workers.slice(0, TOP_WORKERS));
  const [plain, thousandfold] = [prices[PLAIN_WASH]?.value ?? 0, prices[THOUSANDFOLD_WASH]?.value ?? 0];
  return {
    prices,
    washGrowth: plain > 0 ? thousandfold / plain - 1 : 0,
    detection: detection(market, chance, seed),
    honest: {
      top: medianOf(standing.independence.slice(0, TOP_WORKERS)),
      topCeiling: medianOf(ceiling.map(({ independenceConfidence }) => independenceConfidence)),
      share: honest.reduce((sum, { independentValue }) => sum + Number(independentValue), 0) / sumOf(standing.gross),
    },
  };
}

function priceOf(
  market: Market,
  attack: Attack,
  standing: { gross: readonly number[]; independence: readonly number[] },
  seed: number,
): Price {
  const judged = judge(market, [attack], seed);
  const principals = Array.from({ length: attack.principals }, (_, i) => attack.first + i);
  const reputations = reputationsOf(judged, principals);
  const agent = reputations[attack.agent - attack.first];
  if (!agent) throw new RangeError('An attack is for one of its own agents');
  return {
    pays: (attack.washed * FEE + attack.paidOut * (1 + FEE)) / USDC,
    value: Number(reputations.reduce((sum, { independentValue }) => sum + independentValue, 0n)) / USDC,
    grossPercentile: percentileOf(Number(agent.settledValue), standing.gross),
    independence: agent.independenceConfidence,
    independencePercentile: percentileOf(agent.independenceConfidence, standing.independence),
  };
}

function detection(market: Market, chance: Seeded, seed: number): MarketFigures['detection'] {
  const attacks: Attack[] = [];
  const kinds: AttackKind[] = ['star', 'ping-pong', 'ring', 'dense', 'camouflage', 'genuine sales'];
  let first = market.principals;
  for (let i = 0; i < DETECTED; i += 1) {
    const size = { ...SIZE, sybils: 5 + chance.below(26), washed: chance.betweenLogs(5_000, 50_000) };
    const attack = attackOf(kinds[i % kinds.length] ?? 'star', size, market, chance, first);
    attacks.push(attack);
    first += attack.principals;
  }
  const judged = judge(market, attacks, seed);
  const honest = market.workers.slice(0, Math.ceil(market.workers.length / 10));
  const reputations = reputationsOf(judged, [...honest, ...attacks.map(({ agent }) => agent)]);
  const auc = (scores: readonly number[]): number =>
    aucOf(scores.map((score, index) => ({ score, positive: index < honest.length })));
  return {
    independence: auc(reputations.map(({ independenceConfidence }) => independenceConfidence)),
    gross: auc(reputations.map(({ settledValue }) => Number(settledValue))),
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
