import { NodeState, type WireNodeState, withdrawableOf } from '#libs/contracts';
import { isLive, type NodeFacts, nodeOutlook } from './node-outlook.js';

const CLOCK = Date.parse('2026-11-27T12:00:00.000Z') / 1000;
const AT = '2026-11-27T12:00:00Z';

function node(change: Partial<NodeFacts> = {}): NodeFacts {
  return {
    state: 'funded',
    clock: CLOCK,
    deliverBy: CLOCK,
    hasArbiter: true,
    pool: 100_000_000n,
    allocated: 0n,
    returned: 0n,
    floor: 50_000_000n,
    withdrawn: 0n,
    payOut: false,
    revisions: 0,
    maxRevisions: 3,
    isRoot: true,
    hirerFunded: true,
    backers: 'released',
    ...change,
  };
}

describe('the outlook of a node on which nobody acts', () => {
  const table: [WireNodeState, number, WireNodeState, number | null, string][] = [
    ['funded', 0, 'funded', CLOCK, `Without a delivery by ${AT}, anyone may then send 100.00 USDC back to the buyer.`],
    [
      'funded',
      1,
      'funded',
      null,
      `The delivery deadline passed at ${AT}: anyone may send 100.00 USDC back to the buyer.`,
    ],
    ['delivered', 0, 'delivered', CLOCK, `Without a rejection by ${AT}, 100.00 USDC is released to the worker.`],
    ['delivered', 1, 'released', null, 'Settled: 100.00 USDC is released to the worker.'],
    [
      'rejected',
      0,
      'rejected',
      CLOCK,
      `Unless the worker delivers again or contests by ${AT}, 100.00 USDC goes back to the buyer.`,
    ],
    ['rejected', 1, 'refunded', null, 'Settled: 100.00 USDC went back to the buyer.'],
    [
      'disputed',
      0,
      'disputed',
      CLOCK,
      `Without a ruling by ${AT}, 50.00 USDC is released to the worker, and 50.00 USDC goes back to the buyer.`,
    ],
    ['disputed', 1, 'released', null, 'Settled: 50.00 USDC is released to the worker.'],
    ['released', 0, 'released', null, 'Settled: 100.00 USDC is released to the worker.'],
    ['released', 1, 'released', null, 'Settled: 100.00 USDC is released to the worker.'],
    ['refunded', 0, 'refunded', null, 'Settled: 100.00 USDC went back to the buyer.'],
    ['refunded', 1, 'refunded', null, 'Settled: 100.00 USDC went back to the buyer.'],
  ];

  it.each(table)('that is %s, %d s past its clock, has the state %s', (state, past, effectiveState, dueAt, next) => {
    expect(nodeOutlook(node({ state }), CLOCK + past)).toEqual({ effectiveState, dueAt, next });
  });

  it.each([-1, 0])('is unchanged %d s from its clock: the right may still be used', (offset) => {
    for (const state of ['funded', 'delivered', 'rejected', 'disputed'] as const) {
      expect(nodeOutlook(node({ state }), CLOCK + offset)).toMatchObject({ effectiveState: state, dueAt: CLOCK });
    }
  });

  it('sends money back to where it came from', () => {
    const child = { isRoot: false, backers: 'open' as const };
    expect(nodeOutlook(node({ ...child, hirerFunded: false }), CLOCK).next).toContain('back to the node above');
    expect(nodeOutlook(node({ ...child, hirerFunded: true }), CLOCK).next).toContain('back to its hirer');
  });

  it("keeps the children's part apart", () => {
    expect(nodeOutlook(node({ state: 'delivered', allocated: 30_000_000n }), CLOCK).next).toBe(
      `Without a rejection by ${AT}, 70.00 USDC is released to the worker (30.00 USDC more is promised to the nodes below).`,
    );
  });

  it("counts what came back from children as the worker's part, also before it is stored", () => {
    const over = (change: Partial<NodeFacts>) =>
      node({ allocated: 80_000_000n, floor: 80_000_000n, returned: 30_000_000n, ...change });
    expect(nodeOutlook(over({ state: 'delivered' }), CLOCK).next).toBe(
      `Without a rejection by ${AT}, 50.00 USDC is released to the worker (50.00 USDC more is promised to the nodes below).`,
    );
    expect(nodeOutlook(over({ state: 'released', returned: 80_000_000n }), CLOCK).next).toBe(
      'Settled: 100.00 USDC is released to the worker.',
    );
    for (const [past, part] of [
      [0, '30.00 USDC is released to the worker (50.00 USDC more is promised to the nodes below), and 20.00 USDC goes'],
      [1, '30.00 USDC is released to the worker (50.00 USDC more is promised to the nodes below)'],
    ] as const) {
      expect(nodeOutlook(over({ state: 'disputed' }), CLOCK + past).next).toContain(part);
    }
  });

  it("gives the worker the floor less the children's part where the arbiter is silent, and nothing without a floor", () => {
    const full = node({ state: 'disputed', floor: 80_000_000n, allocated: 80_000_000n });
    expect(nodeOutlook(full, CLOCK).next).toContain(
      '0.00 USDC is released to the worker (80.00 USDC more is promised to the nodes below), and 20.00 USDC goes back',
    );
    const bare = node({ state: 'disputed', floor: 0n });
    expect(nodeOutlook(bare, CLOCK).next).toBe(`Without a ruling by ${AT}, 100.00 USDC goes back to the buyer.`);
    expect(nodeOutlook(bare, CLOCK + 1)).toEqual({
      effectiveState: 'refunded',
      dueAt: null,
      next: 'Settled: 100.00 USDC went back to the buyer.',
    });
  });

  it('says what was paid to the worker, what still waits, and that anyone may send it', () => {
    const paid = { state: 'released', pool: 0n, withdrawn: 100_000_000n, payOut: true } as const;
    expect(nodeOutlook(node(paid), CLOCK).next).toBe('Settled: 100.00 USDC was paid to the worker.');
    expect(nodeOutlook(node({ ...paid, pool: 30_000_000n, allocated: 30_000_000n }), CLOCK).next).toBe(
      'Settled: 100.00 USDC was paid to the worker (30.00 USDC more is promised to the nodes below).',
    );
    expect(nodeOutlook(node({ ...paid, pool: 5_000_000n }), CLOCK).next).toBe(
      'Settled: 100.00 USDC was paid to the worker, and 5.00 USDC is released to the worker; anyone may send it to its own wallet.',
    );
    expect(nodeOutlook(node({ state: 'released', payOut: true }), CLOCK).next).toBe(
      'Settled: 100.00 USDC is released to the worker; anyone may send it to its own wallet.',
    );
  });

  it('holds the part of a released node until the nodes above it are released', () => {
    for (const state of ['released', 'delivered'] as const) {
      const child = node({ state, isRoot: false, hirerFunded: false, backers: 'open' });
      expect(nodeOutlook(child, CLOCK + 1)).toEqual({
        effectiveState: 'released',
        dueAt: null,
        next: "The worker's 100.00 USDC is held until every node above is released.",
      });
    }
  });

  it.each(['funded', 'delivered', 'rejected', 'disputed', 'released'] as const)(
    'says that the money is gone for a %s node whose money went back with a node above',
    (state) => {
      expect(nodeOutlook(node({ state, backers: 'closed' }), CLOCK)).toEqual({
        effectiveState: state,
        dueAt: null,
        next: 'Settled: the money behind this node went back with a node above it.',
      });
    },
  );

  it('names for a released node what the contract would let its worker withdraw', () => {
    for (const [state, allocated] of [
      [NodeState.Delivered, 0n],
      [NodeState.Delivered, 40_000_000n],
      [NodeState.Disputed, 0n],
      [NodeState.Disputed, 40_000_000n],
    ] as const) {
      const chain = {
        path: 1n,
        floor: 50_000_000n,
        state,
        clock: CLOCK,
        pool: 100_000_000n,
        allocated,
        hirerFunded: true,
      };
      const withdrawable = withdrawableOf([], chain as never, CLOCK + 1);
      const wire = state === NodeState.Delivered ? 'delivered' : 'disputed';
      const { next } = nodeOutlook(node({ state: wire, allocated }), CLOCK + 1);
      expect(next).toContain(`: ${withdrawable / 1_000_000n}.00 USDC is released`);
    }
  });
});

describe('the actions left to a worker whose work was rejected', () => {
  const rejected = (change: Partial<NodeFacts>): string =>
    nodeOutlook(node({ state: 'rejected', ...change }), CLOCK).next;

  it('is to deliver again, where nobody could rule', () => {
    expect(rejected({ hasArbiter: false })).toBe(
      `Unless the worker delivers again by ${AT}, 100.00 USDC goes back to the buyer.`,
    );
  });

  it('is to deliver again until the delivery deadline and to contest until the end of the window', () => {
    expect(nodeOutlook(node({ state: 'rejected', deliverBy: CLOCK - 60 }), CLOCK - 60).next).toBe(
      `Unless the worker delivers again by 2026-11-27T11:59:00Z or contests by ${AT}, 100.00 USDC goes back to the buyer.`,
    );
  });

  it('is only to contest once the delivery deadline has passed, or no revision is left', () => {
    for (const change of [{ deliverBy: CLOCK - 1 }, { revisions: 3 }]) {
      expect(rejected(change)).toBe(`Unless the worker contests by ${AT}, 100.00 USDC goes back to the buyer.`);
    }
  });
});

it('released and refunded nodes have ended', () => {
  const states = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'] as const;
  expect(states.filter(isLive)).toEqual(['funded', 'delivered', 'rejected', 'disputed']);
});
