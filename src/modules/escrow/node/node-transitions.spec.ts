import { effectiveState, NodeState, type WireNodeState, wireNodeState } from '#libs/contracts';
import { NODE_TRANSITIONS, type NodeEvent, transitionOf } from './node-transitions.js';

const STATES: readonly WireNodeState[] = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'];
const EVENTS: readonly NodeEvent[] = [
  'deliver',
  'resolve_task',
  'reject_task',
  'abandon_node',
  'claim_non_delivery',
  'dispute_node',
  'rule_dispute',
  'agree_split',
  'silence',
];

describe("the table of a node's life", () => {
  /**
   * docs/decisions/escrow.md#states-of-a-node, written a second time: for each state the result of each event; `-`
   * means that the event is not possible.
   */
  const EXPECTED: Record<WireNodeState, string> = {
    funded: 'delivered - - refunded refunded - - released|refunded -',
    delivered: '- released rejected|refunded - - - - released|refunded released',
    rejected: 'delivered released - - - disputed - released|refunded refunded',
    disputed: '- released - - - - released|refunded released|refunded released|refunded',
    released: '- - - - - - - - -',
    refunded: '- - - - - - - - -',
  };

  it.each(STATES)('leads from %s where the contract leads, and nowhere else', (from) => {
    const found = EVENTS.map((event) => transitionOf(from, event)?.to.join('|') ?? '-');
    expect(found.join(' ')).toBe(EXPECTED[from]);
  });

  it('has one row for an event in a state', () => {
    const rows = NODE_TRANSITIONS.map(({ from, by }) => `${from} ${by}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('lets every state end by time or by an action of anyone, once its clock has passed', () => {
    for (const from of ['funded', 'delivered', 'rejected', 'disputed'] as const) {
      const exits = NODE_TRANSITIONS.filter((row) => row.from === from && row.who === 'anyone');
      expect(exits).toEqual([expect.objectContaining({ when: 'lapsed' })]);
      expect(exits[0]?.to.every((to) => to === 'released' || to === 'refunded')).toBe(true);
    }
  });

  it.each([
    [NodeState.Funded],
    [NodeState.Delivered],
    [NodeState.Rejected],
    [NodeState.Disputed],
    [NodeState.Settled],
    [NodeState.Refunded],
  ])('has the outcome by time that the chain state %d has', (state) => {
    const from = wireNodeState(state)!;
    const lapsed = [1n, 0n].map((floor) => wireNodeState(effectiveState({ state, clock: 100, floor }, 101)));
    const silence = transitionOf(from, 'silence');
    expect(silence?.to ?? [from]).toEqual([...new Set(lapsed)]);
  });

  it('never lets one side use a right in the second in which the other side may act on its end', () => {
    for (const { from, when, who } of NODE_TRANSITIONS) {
      if (who !== 'worker' || when !== 'running') continue;
      const others = NODE_TRANSITIONS.filter((row) => row.from === from && row.who === 'anyone');
      expect(others.every((row) => row.when === 'lapsed')).toBe(true);
    }
  });
});
