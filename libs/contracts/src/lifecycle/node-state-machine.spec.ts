import { type NodeActionFacts, possibleActions } from './lifecycle-actions.js';
import { NODE_TRANSITIONS, type NodeAction } from './node-state-machine.js';
import { NodeState } from '../tree/node-states.js';

const CLOCK = 1_000;
const DEADLINE = 5_000;
const HOUR = 3_600;
const { None, Funded, Delivered, Rejected, Disputed, Settled, Refunded, Abandoned } = NodeState;
const states = Object.entries(NodeState);

function facts(state: NodeState, more: Partial<NodeActionFacts> = {}): NodeActionFacts {
  const money = { pool: 100n, allocated: 0n, floor: 50n, payOut: false };
  const node = { state, clock: CLOCK, deliverBy: DEADLINE, ...money, revisions: 0, maxRevisions: 3 };
  return { ...node, backers: 'settled', level: 1, hasArbiter: true, ...more };
}

function open(node: NodeActionFacts, now: number): NodeAction[] {
  return possibleActions(node, now).map(({ action }) => action);
}

/** Every pair of state and action, and where it leads; what is not here must not be in the table either. */
const EDGES: Record<string, NodeState[]> = {
  'Funded subcontract': [Funded],
  'Funded deliver': [Delivered],
  'Funded abandon_node': [Abandoned],
  'Funded claim_non_delivery': [Refunded],
  'Funded agree_split': [Settled, Refunded],
  'Delivered resolve_task': [Settled],
  'Delivered reject_task': [Rejected, Refunded],
  'Delivered agree_split': [Settled, Refunded],
  'Delivered finalize': [Settled],
  'Rejected deliver': [Delivered],
  'Rejected resolve_task': [Settled],
  'Rejected dispute_node': [Disputed],
  'Rejected agree_split': [Settled, Refunded],
  'Rejected finalize': [Refunded],
  'Disputed resolve_task': [Settled],
  'Disputed rule_dispute': [Settled, Refunded],
  'Disputed agree_split': [Settled, Refunded],
  'Disputed finalize': [Settled, Refunded],
  'Settled finalize': [Settled],
  'Settled withdraw_earnings': [Settled],
};

test('the table has exactly these edges', () => {
  const found: Record<string, NodeState[]> = {};
  for (const { from, action, to } of NODE_TRANSITIONS) {
    const name = states.find(([, state]) => state === from)?.[0] ?? '';
    (found[`${name} ${action}`] ??= []).push(to);
  }
  expect(found).toEqual(EDGES);
});

test('rows that share state and action ask for the same and differ in their case', () => {
  for (const row of NODE_TRANSITIONS) {
    const siblings = NODE_TRANSITIONS.filter(({ from, action }) => from === row.from && action === row.action);
    const cases = siblings.map(({ only }) => only);
    expect(new Set(cases).size).toBe(siblings.length);
    expect(cases.includes(undefined)).toBe(siblings.length === 1);
    for (const sibling of siblings) expect([sibling.when, sibling.by]).toEqual([row.when, row.by]);
  }
});

test('a closed node has no way on, and nothing begins below a node that is not there', () => {
  for (const state of [None, Refunded, Abandoned]) {
    expect(open(facts(state), CLOCK)).toEqual([]);
    expect(open(facts(state), CLOCK + 1)).toEqual([]);
  }
});

test('money goes back exactly where a node ends without pay, and is kept or shared where it ends with pay', () => {
  for (const { to, from, money } of NODE_TRANSITIONS) {
    const ends = from !== to && to >= Settled;
    const ofAnEnd = to > Settled ? ['back'] : ['keep', 'share', 'floor'];
    expect(ends ? ofAnEnd : ['none', 'promise', 'out']).toContain(money);
  }
});

test.each<[string, NodeState, NodeAction[], NodeAction[]]>([
  [
    'Delivered',
    Delivered,
    ['resolve_task', 'reject_task', 'agree_split'],
    ['resolve_task', 'agree_split', 'finalize', 'withdraw_earnings'],
  ],
  ['Rejected', Rejected, ['deliver', 'resolve_task', 'dispute_node', 'agree_split'], ['finalize']],
  [
    'Disputed',
    Disputed,
    ['resolve_task', 'rule_dispute', 'agree_split'],
    ['agree_split', 'finalize', 'withdraw_earnings'],
  ],
])(
  'the clock of a %s node is the last second of one side and the one before the first of the other',
  (_, state, until, after) => {
    expect(open(facts(state), CLOCK - 1)).toEqual(until);
    expect(open(facts(state), CLOCK)).toEqual(until);
    expect(open(facts(state), CLOCK + 1)).toEqual(after);
  },
);

test('a funded node is worked on until its deadline and can be claimed from the next second on', () => {
  const funded = facts(Funded, { clock: DEADLINE });
  // A helper has at least an hour, and may not outlast the node.
  expect(open(funded, DEADLINE - HOUR)).toEqual(['subcontract', 'deliver', 'abandon_node', 'agree_split']);
  expect(open(funded, DEADLINE - HOUR + 1)).toEqual(['deliver', 'abandon_node', 'agree_split']);
  expect(open(funded, DEADLINE)).toEqual(['deliver', 'abandon_node', 'agree_split']);
  expect(open(funded, DEADLINE + 1)).toEqual(['abandon_node', 'claim_non_delivery', 'agree_split']);
});

test('whoever silence leaves with nothing has an answer in every live state', () => {
  for (const state of [Funded, Delivered, Rejected, Disputed]) {
    expect(open(facts(state), CLOCK).length).toBeGreaterThan(0);
    const late = open(facts(state, { deliverBy: CLOCK }), CLOCK + 1);
    expect(late.some((action) => action === 'finalize' || action === 'claim_non_delivery')).toBe(true);
  }
});

test('what depends on the tree', () => {
  const funded = { clock: DEADLINE };
  expect(open(facts(Funded, { ...funded, allocated: 1n }), CLOCK)).not.toContain('abandon_node');
  expect(open(facts(Funded, { ...funded, level: 8 }), CLOCK)).not.toContain('subcontract');
  expect(open(facts(Funded, { ...funded, level: 7 }), CLOCK)).toContain('subcontract');
  expect(open(facts(Funded, { ...funded, backers: 'closed' }), CLOCK)).toEqual(['abandon_node', 'agree_split']);
  expect(open(facts(Rejected, { backers: 'closed' }), CLOCK)).not.toContain('deliver');
  expect(open(facts(Rejected, { hasArbiter: false }), CLOCK)).not.toContain('dispute_node');
  expect(open(facts(Settled), CLOCK)).toEqual(['withdraw_earnings']);
  expect(open(facts(Settled, { backers: 'open' }), CLOCK)).toEqual([]);
  expect(open(facts(Settled, { allocated: 100n }), CLOCK)).toEqual([]);
  expect(open(facts(Settled, { payOut: true }), CLOCK)).toEqual(['finalize', 'withdraw_earnings']);
  expect(open(facts(Settled, { payOut: true, backers: 'open' }), CLOCK)).toEqual([]);
  expect(open(facts(Settled, { payOut: true, allocated: 100n }), CLOCK)).toEqual([]);
  // A silent arbiter leaves the floor, which may be nothing, or all promised.
  expect(open(facts(Disputed, { floor: 0n }), CLOCK)).toEqual(['resolve_task', 'rule_dispute', 'agree_split']);
  expect(open(facts(Disputed, { floor: 0n }), CLOCK + 1)).toEqual(['finalize']);
  expect(open(facts(Disputed, { allocated: 50n }), CLOCK + 1)).not.toContain('withdraw_earnings');
  expect(open(facts(Disputed, { allocated: 49n }), CLOCK + 1)).toContain('withdraw_earnings');
});

test('after the last revision a rejection can only be disputed', () => {
  expect(open(facts(Rejected, { revisions: 2 }), CLOCK)).toContain('deliver');
  expect(open(facts(Rejected, { revisions: 3 }), CLOCK)).toEqual(['resolve_task', 'dispute_node', 'agree_split']);
  expect(open(facts(Funded, { clock: DEADLINE, maxRevisions: 0 }), CLOCK)).toContain('deliver');
});
