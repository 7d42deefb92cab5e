import type { Seeded } from '../statistics/seeded.js';
import { chanceAmount, type Deal, type Market, usdc } from '../market/trade-market.js';

/** One attack on a market. */
export interface Attack {
  kind: AttackKind;
  /** The attacker's principals: `first` and the numbers after it. */
  first: number;
  principals: number;
  /** The attacker's principals that the operator verified by mistake. */
  anchors: readonly number[];
  /** The agent that the attack promotes. */
  agent: number;
  deals: readonly Deal[];
  /** Base units paid between the attacker's own principals; the attacker loses only the fee. */
  washed: number;
  /** Base units paid to honest workers; the attacker loses all of it. */
  paidOut: number;
}

export type AttackKind =
  | 'star'
  | 'ping-pong'
  | 'ring'
  | 'dense'
  | 'camouflage'
  | 'genuine sales'
  | '1 false anchor'
  | '2 false anchors'
  | '3 false anchors';

/** How large an attack is. Amounts in USDC. */
export interface AttackSize {
  sybils: number;
  washed: number;
  camouflage: number;
  sales: number;
}

/** The attacks, in the order of the tables. `zeroCut`: no money flows between the attacker and the honest market. */
export const ATTACKS: readonly { kind: AttackKind; zeroCut: boolean; anchors: number }[] = [
  { kind: 'star', zeroCut: true, anchors: 0 },
  { kind: 'ping-pong', zeroCut: true, anchors: 0 },
  { kind: 'ring', zeroCut: true, anchors: 0 },
  { kind: 'dense', zeroCut: true, anchors: 0 },
  { kind: 'camouflage', zeroCut: false, anchors: 0 },
  { kind: 'genuine sales', zeroCut: false, anchors: 0 },
  { kind: '1 false anchor', zeroCut: true, anchors: 1 },
  { kind: '2 false anchors', zeroCut: true, anchors: 2 },
  { kind: '3 false anchors', zeroCut: true, anchors: 3 },
];

/** How many principals each sybil of a dense group pays. */
const DENSE_PARTNERS = 4;
/** How many honest workers get camouflage payments: those with the highest value, because they have the most trust. */
const CAMOUFLAGE_WORKERS = 20;

/** A random size: up to 1.2 million USDC washed, 10,000 paid out and 11 sales. */
export function chanceSize(chance: Seeded): AttackSize {
  return {
    sybils: 2 + chance.below(39),
    washed: chance.betweenLogs(400, 1_200_000),
    camouflage: chance.betweenLogs(10, 10_000),
    sales: 1 + chance.below(11),
  };
}

/** The deals of an attack; its own principals are numbered from `first` on. */
export function attackOf(
  kind: AttackKind,
  size: AttackSize,
  market: Market,
  chance: Seeded,
  first = market.principals,
): Attack {
  const deals = washDeals(kind, size, first, chance);
  const washed = deals.reduce((sum, { amount }) => sum + amount, 0);
  const sybils = kind === 'ping-pong' ? 1 : size.sybils;
  const falseAnchors = ATTACKS.find((attack) => attack.kind === kind)?.anchors ?? 0;
  const attack = {
    kind,
    first,
    principals: sybils + 1,
    anchors: Array.from({ length: Math.min(sybils, falseAnchors) }, (_, i) => first + 1 + i),
    agent: first,
    washed,
    paidOut: 0,
  };
  if (kind === 'camouflage') {
    const paid = camouflageDeals(size, market, first, chance);
    return { ...attack, deals: [...deals, ...paid], paidOut: paid.reduce((sum, { amount }) => sum + amount, 0) };
  }
  if (kind === 'genuine sales') {
    const buyers = chance.sample(market.buyers, size.sales);
    const sales = buyers.map((buyer) => ({ buyer, worker: first, amount: chanceAmount(chance) }));
    return { ...attack, deals: [...deals, ...sales] };
  }
  return { ...attack, deals };
}

/** Deals that move money between the agent (`first`) and its sybils. */
function washDeals(kind: AttackKind, { sybils, washed }: AttackSize, first: number, chance: Seeded): Deal[] {
  const numbers = Array.from({ length: sybils }, (_, i) => first + 1 + i);
  switch (kind) {
    case 'ping-pong': {
      const half = usdc(washed / 2);
      return [
        { buyer: first + 1, worker: first, amount: half },
        { buyer: first, worker: first + 1, amount: half },
      ];
    }
    case 'ring': {
      const amount = usdc(washed / (sybils + 1));
      const ring = [first, ...numbers];
      return ring.map((buyer, i) => ({ buyer, worker: ring[(i + 1) % ring.length] ?? first, amount }));
    }
    case 'star':
    case 'genuine sales':
      return numbers.map((buyer) => ({ buyer, worker: first, amount: usdc(washed / sybils) }));
    case 'dense':
    case 'camouflage':
    case '1 false anchor':
    case '2 false anchors':
    case '3 false anchors': {
      const deals = numbers.flatMap((buyer) =>
        [first, ...chance.sample(numbers, DENSE_PARTNERS - 1)]
          .filter((worker) => worker !== buyer)
          .map((worker) => ({ buyer, worker })),
      );
      return deals.map((deal) => ({ ...deal, amount: usdc(washed / deals.length) }));
    }
  }
}

/** Each sybil makes a real purchase from one of the best workers. */
function camouflageDeals({ sybils, camouflage }: AttackSize, market: Market, first: number, chance: Seeded): Deal[] {
  const best = market.workers.slice(0, CAMOUFLAGE_WORKERS);
  return Array.from({ length: sybils }, (_, i) => ({
    buyer: first + 1 + i,
    worker: chance.pick(best),
    amount: usdc(camouflage / sybils),
  }));
}
