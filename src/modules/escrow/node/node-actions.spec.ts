import { NodeState, possibleActions, type WireNodeState } from '#libs/contracts';
import { type ActionFacts, allowedActions, eventFault, type NodeCaller } from './node-outlook.js';

const CLOCK = 1_795_000_000;
const STATES: readonly WireNodeState[] = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'];
const WORKER: NodeCaller = { isWorker: true, isHirer: false };
const HIRER: NodeCaller = { isWorker: false, isHirer: true };
const VIEWER: NodeCaller = { isWorker: false, isHirer: false };
const MONEY = [
  { floor: 0n, allocated: 0n },
  { floor: 60_000_000n, allocated: 0n },
  { floor: 60_000_000n, allocated: 60_000_000n },
  { floor: 100_000_000n, allocated: 60_000_000n },
  { floor: 100_000_000n, allocated: 100_000_000n },
];

function node(change: Partial<ActionFacts> = {}): ActionFacts {
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
    level: 1,
    ...change,
  };
}

/** The rules of docs/decisions/escrow.md#states-of-a-node, written a second time, without the table of the code. */
function expected(facts: ActionFacts, { isWorker, isHirer }: NodeCaller, now: number): string[] {
  const { state, backers, allocated, floor, hasArbiter, deliverBy, level, revisions, maxRevisions } = facts;
  const inTime = now <= facts.clock;
  const isOpen = backers !== 'closed';
  const actions: string[] = [];
  const add = (kind: string, allowed: boolean) => allowed && actions.push(kind);
  const mayDeliver = state === 'funded' || (state === 'rejected' && revisions < maxRevisions);
  add('deliver', isWorker && isOpen && inTime && now <= deliverBy && mayDeliver);
  add('abandon_node', isWorker && state === 'funded' && allocated === 0n);
  add('claim_non_delivery', state === 'funded' && !inTime);
  add('resolve_task', isHirer && isOpen && inTime && ['delivered', 'rejected', 'disputed'].includes(state));
  add('reject_task', isHirer && isOpen && inTime && state === 'delivered');
  add('dispute_node', isWorker && isOpen && inTime && state === 'rejected' && hasArbiter);
  add('subcontract', isWorker && isOpen && now + 3_600 <= facts.clock && state === 'funded' && level < 8);
  const hasWon = !inTime && (state === 'delivered' || (state === 'disputed' && floor > 0n));
  const hasEnded = state === 'released' || hasWon;
  const own = (state === 'disputed' ? floor : 100_000_000n) - allocated;
  add('withdraw_earnings', isWorker && hasEnded && backers === 'released' && own > 0n);
  return actions;
}

describe('the actions a caller may prepare', () => {
  const cases = STATES.flatMap((state) =>
    (['open', 'closed', 'released'] as const).flatMap((backers) =>
      [-3_600, -1, 0, 1].flatMap((offset) =>
        MONEY.flatMap((money) =>
          [true, false].flatMap((hasArbiter) =>
            [CLOCK, CLOCK - 1].flatMap((deliverBy) =>
              [7, 8].flatMap((level) =>
                [1, 3].map((revisions) => ({
                  facts: node({ state, backers, ...money, hasArbiter, deliverBy, level, revisions }),
                  offset,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  );

  it.each([
    ['worker', WORKER],
    ['hirer', HIRER],
    ['any other viewer', VIEWER],
  ])('are for its %s those of the rules, in every state, second, tree and fate above', (_who, caller) => {
    expect(cases).toHaveLength(6 * 3 * 4 * 5 * 2 * 2 * 2 * 2);
    for (const { facts, offset } of cases) {
      const now = CLOCK + offset;
      const context = { state: facts.state, backers: facts.backers, offset, allocated: facts.allocated };
      expect({ ...context, actions: allowedActions(facts, caller, now).toSorted() }).toEqual({
        ...context,
        actions: expected(facts, caller, now).toSorted(),
      });
    }
  });

  it('are those of both roles for a caller who has both', () => {
    const both = { isWorker: true, isHirer: true };
    expect(allowedActions(node({ state: 'rejected' }), both, CLOCK)).toEqual([
      'deliver',
      'resolve_task',
      'dispute_node',
    ]);
  });

  it('are those that the model of the contract allows, except actions without effect', () => {
    const states: Record<WireNodeState, NodeState> = {
      funded: NodeState.Funded,
      delivered: NodeState.Delivered,
      rejected: NodeState.Rejected,
      disputed: NodeState.Disputed,
      released: NodeState.Settled,
      refunded: NodeState.Refunded,
    };
    const everyone = { isWorker: true, isHirer: true };
    const preparable = ({ by }: { by: string }) => ['worker', 'hirer', 'anyone'].includes(by);
    // On the chain a funded node's clock is always its deadline; leaves out the other cases.
    const onChain = cases.filter(({ facts }) => facts.state !== 'funded' || facts.deliverBy === facts.clock);
    for (const { facts, offset } of onChain) {
      const now = CLOCK + offset;
      const backers = facts.backers === 'released' ? 'settled' : facts.backers;
      const byContract = possibleActions({ ...facts, state: states[facts.state], backers }, now)
        .filter((possible) => preparable(possible) && possible.action !== 'finalize')
        .map(({ action }) => action as string)
        // After the clock the work counts as accepted.
        .filter((action) => action !== 'resolve_task' || offset <= 0)
        // The nodes above no longer have the money.
        .filter((action) => facts.backers !== 'closed' || ['abandon_node', 'claim_non_delivery'].includes(action));
      const context = { state: facts.state, backers, offset, allocated: facts.allocated, level: facts.level };
      expect({ ...context, actions: allowedActions(facts, everyone, now).toSorted() }).toEqual({
        ...context,
        actions: byContract.toSorted(),
      });
    }
  });

  it("let the worker withdraw what came back from child nodes, also when the node's own part has been withdrawn", () => {
    const emptied = { state: 'released', pool: 30_000_000n, allocated: 30_000_000n } as const;
    expect(allowedActions(node(emptied), WORKER, CLOCK)).toEqual([]);
    expect(allowedActions(node({ ...emptied, returned: 1n }), WORKER, CLOCK)).toEqual(['withdraw_earnings']);
    expect(allowedActions(node({ ...emptied, returned: 1n }), HIRER, CLOCK)).toEqual([]);
    expect(allowedActions(node({ ...emptied, returned: 1n, backers: 'open' }), WORKER, CLOCK)).toEqual([]);
  });

  it('never include actions that others sign or that time decides: rulings, splits and finalize', () => {
    for (const { facts, offset } of cases) {
      const actions = allowedActions(facts, { isWorker: true, isHirer: true }, CLOCK + offset);
      expect(actions.filter((kind) => ['rule_dispute', 'agree_split', 'silence'].includes(kind))).toEqual([]);
    }
  });
});

describe('why an event cannot happen', () => {
  it.each([
    ['deliver', node({ state: 'delivered' }), CLOCK, 'wrong_state'],
    ['deliver', node(), CLOCK + 1, 'too_late'],
    ['deliver', node({ backers: 'closed' }), CLOCK + 1, 'backers_closed'],
    ['deliver', node({ state: 'rejected', clock: CLOCK + 9 }), CLOCK + 1, 'too_late'],
    ['deliver', node({ state: 'rejected', revisions: 3 }), CLOCK, 'no_revision_left'],
    ['deliver', node({ state: 'rejected', revisions: 3 }), CLOCK + 1, 'too_late'],
    ['deliver', node({ maxRevisions: 0 }), CLOCK, null],
    ['abandon_node', node({ allocated: 1n }), CLOCK, 'live_allocations'],
    ['abandon_node', node({ allocated: 2n, returned: 1n }), CLOCK, 'live_allocations'],
    ['abandon_node', node({ allocated: 2n, returned: 2n }), CLOCK, null],
    ['abandon_node', node(), CLOCK + 1, null],
    ['abandon_node', node({ backers: 'closed' }), CLOCK, null],
    ['claim_non_delivery', node(), CLOCK, 'too_early'],
    ['claim_non_delivery', node({ backers: 'closed' }), CLOCK + 1, null],
    ['resolve_task', node({ state: 'delivered' }), CLOCK + 1, 'too_late'],
    ['resolve_task', node({ state: 'disputed' }), CLOCK, null],
    ['reject_task', node({ state: 'rejected' }), CLOCK, 'wrong_state'],
    ['dispute_node', node({ state: 'rejected', hasArbiter: false }), CLOCK, 'no_arbiter'],
    ['dispute_node', node({ state: 'rejected', hasArbiter: false }), CLOCK + 1, 'too_late'],
  ] as const)('%s: %#', (event, facts, now, fault) => {
    expect(eventFault(facts, event, now)).toBe(fault);
  });
});
