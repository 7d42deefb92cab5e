import type { WireNodeState } from '#libs/contracts';

/** What moves a node: the kinds of action, and silence, which anyone may write down (`finalize`). */
export type NodeEvent =
  | 'deliver'
  | 'resolve_task'
  | 'reject_task'
  | 'abandon_node'
  | 'claim_non_delivery'
  | 'dispute_node'
  | 'rule_dispute'
  | 'agree_split'
  | 'silence';

/** Whose right an event is. */
export type NodeRole = 'worker' | 'hirer' | 'arbiter' | 'hirer and worker' | 'anyone';

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
 * The table of a funded node's life (design/contract.md §1.4), as the contract has it. `released` and `refunded` are
 * final. What more an event needs (no live children, an arbiter, the delivery deadline) is in node.lifecycle.ts.
 */
export const NODE_TRANSITIONS: readonly NodeTransition[] = [
  { from: 'funded', by: 'deliver', who: 'worker', when: 'running', to: ['delivered'] },
  { from: 'funded', by: 'abandon_node', who: 'worker', when: 'always', to: ['refunded'] },
  { from: 'funded', by: 'claim_non_delivery', who: 'anyone', when: 'lapsed', to: ['refunded'] },
  { from: 'funded', by: 'agree_split', who: 'hirer and worker', when: 'always', to: ['released', 'refunded'] },
  { from: 'delivered', by: 'resolve_task', who: 'hirer', when: 'always', to: ['released'] },
  { from: 'delivered', by: 'reject_task', who: 'hirer', when: 'running', to: ['rejected', 'refunded'] },
  { from: 'delivered', by: 'agree_split', who: 'hirer and worker', when: 'always', to: ['released', 'refunded'] },
  { from: 'delivered', by: 'silence', who: 'anyone', when: 'lapsed', to: ['released'] },
  { from: 'rejected', by: 'deliver', who: 'worker', when: 'running', to: ['delivered'] },
  { from: 'rejected', by: 'dispute_node', who: 'worker', when: 'running', to: ['disputed'] },
  { from: 'rejected', by: 'resolve_task', who: 'hirer', when: 'running', to: ['released'] },
  { from: 'rejected', by: 'agree_split', who: 'hirer and worker', when: 'running', to: ['released', 'refunded'] },
  { from: 'rejected', by: 'silence', who: 'anyone', when: 'lapsed', to: ['refunded'] },
  { from: 'disputed', by: 'resolve_task', who: 'hirer', when: 'running', to: ['released'] },
  { from: 'disputed', by: 'rule_dispute', who: 'arbiter', when: 'running', to: ['released', 'refunded'] },
  { from: 'disputed', by: 'agree_split', who: 'hirer and worker', when: 'always', to: ['released', 'refunded'] },
  { from: 'disputed', by: 'silence', who: 'anyone', when: 'lapsed', to: ['released'] },
];

/** The row of an event in a state, or undefined when the state does not know it. */
export function transitionOf(from: WireNodeState, by: NodeEvent): NodeTransition | undefined {
  return NODE_TRANSITIONS.find((row) => row.from === from && row.by === by);
}
