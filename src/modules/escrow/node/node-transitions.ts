import {
  NODE_TRANSITIONS as CONTRACT_TRANSITIONS,
  type NodeAction,
  type NodeRole as ContractRole,
  type TransitionRow,
  type WireNodeState,
  wireNodeState,
} from '#libs/contracts';

/**
 * Events that change a node's state: the kinds of action, and silence, whose effect anyone may finalize (`finalize`).
 */
export type NodeEvent = Exclude<NodeAction, 'subcontract' | 'withdraw_earnings' | 'finalize'> | 'silence';

/** Who may cause an event. */
export type NodeRole = Exclude<ContractRole, 'both'> | 'hirer and worker';

/** When the contract accepts the event: `running` while `now <= clock`, `lapsed` when `now > clock`. */
export type NodeWindow = 'always' | 'running' | 'lapsed';

export interface NodeTransition {
  readonly from: WireNodeState;
  readonly by: NodeEvent;
  readonly who: NodeRole;
  readonly when: NodeWindow;
  /** Possible next states, depending on the event's content and on whether a rejection can be contested. */
  readonly to: readonly WireNodeState[];
}

/**
 * The state changes of a funded node, with the state names of the interface: the contract's own table
 * (libs/contracts/src/lifecycle/node-state-machine.ts), one row per state and event. `released` and `refunded` are
 * final. Further conditions of an event (no live children, an arbiter, the delivery deadline) are in node-outlook.ts.
 */
export const NODE_TRANSITIONS: readonly NodeTransition[] = CONTRACT_TRANSITIONS.reduce(withRow, []);

/** The row of an event in a state; undefined when the event is impossible in this state. */
export function transitionOf(from: WireNodeState, by: NodeEvent): NodeTransition | undefined {
  return NODE_TRANSITIONS.find((row) => row.from === from && row.by === by);
}

function withRow(rows: readonly NodeTransition[], row: TransitionRow): readonly NodeTransition[] {
  const from = wireNodeState(row.from);
  const to = wireNodeState(row.to);
  const by = eventOf(row.action);
  // Skips rows that keep the state: hiring a child, and taking earnings out.
  if (from === null || to === null || by === null || from === to) return rows;
  const known = rows.find((other) => other.from === from && other.by === by);
  if (known) return rows.with(rows.indexOf(known), { ...known, to: [...known.to, to] });
  return [...rows, { from, by, who: row.by === 'both' ? 'hirer and worker' : row.by, when: windowOf(row), to: [to] }];
}

function eventOf(action: NodeAction): NodeEvent | null {
  if (action === 'subcontract' || action === 'withdraw_earnings') return null;
  return action === 'finalize' ? 'silence' : action;
}

function windowOf({ when }: TransitionRow): NodeWindow {
  const conditions = when.map(([condition]) => condition);
  if (conditions.includes('in_time') || conditions.includes('before_deadline')) return 'running';
  return conditions.includes('out_of_time') || conditions.includes('past_deadline') ? 'lapsed' : 'always';
}
