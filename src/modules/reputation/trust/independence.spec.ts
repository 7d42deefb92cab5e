import { dealCohorts } from './cohorts.js';
import { independenceOf } from './independence.js';
import { type MoneyGraph, moneyGraphOf } from './money-graph.js';
import { IdInterner } from './id-interner.js';
import { Payments } from './payments.js';
import { walksOf } from './trust-walk.js';

function graphOf(principals: number, deals: readonly (readonly [number, number, number])[]): MoneyGraph {
  const payments = new Payments();
  for (const [payer, worker, amount] of deals) payments.add(payer, worker, amount);
  return moneyGraphOf(payments, principals);
}

/** The edges as text, each from both sides. */
function edgesOf({ principals, offsets, neighbours, weights }: MoneyGraph): string[] {
  const edges: string[] = [];
  for (let i = 0; i < principals; i += 1) {
    for (let edge = offsets[i]!; edge < offsets[i + 1]!; edge += 1)
      edges.push(`${i}-${neighbours[edge]}: ${weights[edge]}`);
  }
  return edges.toSorted();
}

/** Buyers 0 to 4 each pay workers 5 to 9, unevenly. */
const MARKET = [0, 1, 2, 3, 4].flatMap((buyer) =>
  [5, 6, 7, 8, 9].map((worker) => [buyer, worker, 10 * (1 + ((buyer * 7 + worker * 3) % 5))] as const),
);
/** Principals 10 to 13 pay each other in a ring. */
const RING = [
  [10, 11, 1000],
  [11, 12, 1000],
  [12, 13, 1000],
  [13, 10, 1000],
  [10, 12, 5000],
] as const;
const ANCHORS = [0, 1, 2, 3, 4].map((principal) => ({ principal, cohort: principal }));

describe('the money graph', () => {
  it('adds payments up, and has each edge in both directions', () => {
    const graph = graphOf(4, [
      [0, 1, 30],
      [2, 1, 5],
      [0, 1, 20],
    ]);
    expect(edgesOf(graph)).toEqual(['0-1: 50', '1-0: 50', '1-2: 5', '2-1: 5']);
    expect([...graph.degrees]).toEqual([50, 55, 5, 0]);
  });

  it('subtracts what is paid back, and has no edge where everything was paid back', () => {
    const graph = graphOf(4, [
      [0, 1, 30],
      [1, 0, 10],
      [2, 3, 7],
      [3, 2, 7],
    ]);
    expect(edgesOf(graph)).toEqual(['0-1: 20', '1-0: 20']);
  });

  it('leaves out what a principal pays itself', () => {
    expect(edgesOf(graphOf(2, [[1, 1, 100]]))).toEqual([]);
  });

  it('is the same whatever the order of payments', () => {
    expect(edgesOf(graphOf(14, [...MARKET, ...RING].toReversed()))).toEqual(edgesOf(graphOf(14, [...MARKET, ...RING])));
  });

  it('refuses a principal that does not exist', () => {
    expect(() => graphOf(2, [[0, 2, 1]])).toThrow(RangeError);
  });
});

describe('the walk', () => {
  it('of one anchor and one worker comes to 1 / (1 + d) and d / (1 + d)', () => {
    // a = 0.3 + 0.7 b and b = 0.7 a: a = 0.3 / 0.51, b = 0.21 / 0.51.
    const [trust] = walksOf(graphOf(2, [[0, 1, 40]]), [{ principal: 0, cohort: 0 }]);
    expect(trust?.tau[0]).toBeCloseTo(0.3 / 0.51, 3);
    expect(trust?.tau[1]).toBeCloseTo(0.21 / 0.51, 3);
  });

  it('shares what a principal passes on by money: tau is the mean of the neighbours, weighted', () => {
    const graph = graphOf(14, MARKET);
    const [trust] = walksOf(graph, [{ principal: 0, cohort: 0 }]);
    for (let i = 1; i < 10; i += 1) {
      let sum = 0;
      for (let edge = graph.offsets[i]!; edge < graph.offsets[i + 1]!; edge += 1) {
        sum += graph.weights[edge]! * trust!.tau[graph.neighbours[edge]!]!;
      }
      expect(trust?.tau[i]).toBeCloseTo((0.7 * sum) / graph.degrees[i]!, 4);
    }
  });

  it('takes as reference the trust below which a fifth of the mass lies', () => {
    const graph = graphOf(14, MARKET);
    const [trust] = walksOf(graph, [{ principal: 0, cohort: 0 }]);
    const mass = (keep: (tau: number) => boolean) =>
      trust!.tau.reduce((sum, tau, i) => sum + (keep(tau) ? tau * graph.degrees[i]! : 0), 0);
    const all = mass(() => true);
    expect(mass((tau) => tau < trust!.reference)).toBeLessThan(0.2 * all);
    expect(mass((tau) => tau <= trust!.reference)).toBeGreaterThanOrEqual(0.2 * all);
  });
});

describe('independence', () => {
  it('lies in [0, 1] and is more than 0 for everyone whom money joins to anchors', () => {
    const independence = independenceOf(graphOf(14, MARKET), ANCHORS);
    for (const iota of independence.subarray(0, 10)) {
      expect(iota).toBeGreaterThan(0);
      expect(iota).toBeLessThanOrEqual(1);
    }
  });

  it('is exactly 0 for a ring without money to or from anchors, and leaves all others unchanged', () => {
    const alone = independenceOf(graphOf(14, MARKET), ANCHORS);
    const attacked = independenceOf(graphOf(14, [...MARKET, ...RING]), ANCHORS);
    expect([...attacked.subarray(10)]).toEqual([0, 0, 0, 0]);
    expect([...attacked.subarray(0, 10)]).toEqual([...alone.subarray(0, 10)]);
  });

  it('stays 0 for a ring that holds one or two anchors of five, not with three', () => {
    const graph = graphOf(14, [...MARKET, ...RING]);
    const ring = (bought: number) => {
      const anchors = ANCHORS.map((anchor) =>
        anchor.cohort < bought ? { principal: 10 + anchor.cohort, cohort: anchor.cohort } : anchor,
      );
      return Math.max(...independenceOf(graph, anchors).subarray(10));
    };
    expect([ring(0), ring(1), ring(2)]).toEqual([0, 0, 0]);
    expect(ring(3)).toBeGreaterThan(0);
  });

  it('is the same to the last bit whatever order the payments come in, once principals are numbered by name', () => {
    const deals = [...MARKET, ...RING, [11, 5, 60] as const, [3, 10, 40] as const];
    const found = (order: readonly (readonly [number, number, number])[]) => {
      const mentioned = new IdInterner();
      const payments = new Payments();
      for (const [payer, worker, amount] of order) {
        payments.add(mentioned.numberOf(`acct_${10 + payer}`), mentioned.numberOf(`acct_${10 + worker}`), amount);
      }
      const { numbering, places } = mentioned.sorted();
      payments.renumber(places);
      const anchors = ANCHORS.map(({ principal, cohort }) => ({
        principal: numbering.numberOf(`acct_${10 + principal}`),
        cohort,
      }));
      return [...independenceOf(moneyGraphOf(payments, numbering.size), anchors)];
    };
    expect(found(deals.toReversed())).toEqual(found(deals));
    expect(found([...deals.slice(11), ...deals.slice(0, 11)])).toEqual(found(deals));
  });

  it('is 0 for all without anchors', () => {
    expect(independenceOf(graphOf(14, MARKET), []).every((iota) => iota === 0)).toBe(true);
  });

  it('keeps value within the bound: d / (1 - d) of the money that crosses', () => {
    const graph = graphOf(14, [...MARKET, ...RING, [11, 5, 60], [3, 10, 40]]);
    for (const { tau, reference } of walksOf(graph, ANCHORS)) {
      const held = [10, 11, 12, 13].reduce((sum, i) => sum + tau[i]! * graph.degrees[i]!, 0);
      expect(held / reference).toBeLessThanOrEqual(((0.7 / 0.3) * (60 * tau[5]! + 40 * tau[3]!)) / reference + 1e-6);
    }
  });

  it('refuses anchors that do not exist', () => {
    expect(() => independenceOf(graphOf(2, [[0, 1, 1]]), [{ principal: 2, cohort: 0 }])).toThrow(RangeError);
  });
});

describe('cohorts', () => {
  const graph = graphOf(14, MARKET);
  const candidates = (count: number) =>
    Array.from({ length: count }, (_, principal) => ({ principal, key: `k${9 - principal}` }));
  const sizes = (count: number) => {
    const found = new Map<number, number>();
    for (const { cohort } of dealCohorts(graph, candidates(count))) found.set(cohort, (found.get(cohort) ?? 0) + 1);
    return [...found].toSorted(([a], [b]) => a - b).map(([, size]) => size);
  };

  it('are five, three or one, as many as can be filled', () => {
    expect([0, 1, 2, 3, 4, 5, 7].map((count) => sizes(count))).toEqual([
      [],
      [1],
      [2],
      [1, 1, 1],
      [2, 1, 1],
      [1, 1, 1, 1, 1],
      [2, 2, 1, 1, 1],
    ]);
  });

  it('follow the keys, not the order of verification', () => {
    expect(dealCohorts(graph, candidates(5).toReversed())).toEqual(dealCohorts(graph, candidates(5)));
    expect(dealCohorts(graph, candidates(5))[0]).toEqual({ principal: 4, cohort: 0 });
  });

  it('give a principal one place, and none to one without money', () => {
    const twice = [
      { principal: 0, key: 'b' },
      { principal: 0, key: 'a' },
      { principal: 13, key: 'c' },
    ];
    expect(dealCohorts(graph, twice)).toEqual([{ principal: 0, cohort: 0 }]);
  });
});
