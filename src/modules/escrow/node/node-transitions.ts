import {
  NODE_TRANSITIONS as CONTRACT_TRANSITIONS,
  type NodeAction,
  type NodeRole as ContractRole,
  type TransitionRow,
  type WireNodeState,
  wireNodeState,
} from '#libs/contracts';

/** What moves a node: the kinds of action, and silence, which anyone may write down (`finalize`). */
export type NodeEvent = Exclude<NodeAction, 'fund_task' | 'subcontract' | 'withdraw_earnings' | 'finalize'> | 'silence';

/** Whose right an event is. */
export type NodeRole = Exclude<ContractRole, 'both'> | 'hirer and worker';

/** When the contract takes it: `running` while `now <= clock`, `lapsed` when `now > clock`. */
export type NodeWindow = 'always' | 'running' | 'lapsed';

export interface NodeTransition {
  readonly from: WireNodeState;
  readonly by: NodeEvent;
  readonly who: NodeRole;
  readonly when: NodeWindow;
  /** Where it may lead, by what it says and what there is left to contest. */
  readonly to: readonly WireNodeState[];
}

/**
 * The life of a funded node in the words of the wire: the contract's own table (libs/contracts/src/lifecycle/node-state-machine.ts),
 * one row for an event in a state. `released` and `refunded` are final. What more an event needs (no live children, an
 * arbiter, the delivery deadline) is in node-outlook.ts.
 */
export const NODE_TRANSITIONS: readonly NodeTransition[] = CONTRACT_TRANSITIONS.reduce(withRow, []);

/** The row of an event in a state, or undefined when the state does not know it. */
export function transitionOf(from: WireNodeState, by: NodeEvent): NodeTransition | undefined {
  return NODE_TRANSITIONS.find((row) => row.from === from && row.by === by);
}

function withRow(rows: readonly NodeTransition[], row: TransitionRow): readonly NodeTransition[] {
  const from = wireNodeState(row.from);
  const to = wireNodeState(row.to);
  const by = eventOf(row.action);
  // To stay is no move: hiring below, and taking out what was earned. Before the payment there is no node on the wire.
  if (from === null || to === null || by === null || from === to) return rows;
  const known = rows.find((other) => other.from === from && other.by === by);
  if (known) return rows.with(rows.indexOf(known), { ...known, to: [...known.to, to] });
  return [...rows, { from, by, who: row.by === 'both' ? 'hirer and worker' : row.by, when: windowOf(row), to: [to] }];
}

function eventOf(action: NodeAction): NodeEvent | null {
  if (action === 'fund_task' || action === 'subcontract' || action === 'withdraw_earnings') return null;
  return action === 'finalize' ? 'silence' : action;
}

function windowOf({ when }: TransitionRow): NodeWindow {
  const conditions = when.map(([condition]) => condition);
  if (conditions.includes('in_time') || conditions.includes('before_deadline')) return 'running';
  return conditions.includes('out_of_time') || conditions.includes('past_deadline') ? 'lapsed' : 'always';
}
