/** State of a node as the contract stores it (Types.sol, `NodeState`). */
export const NodeState = {
  None: 0,
  Funded: 1,
  Delivered: 2,
  Rejected: 3,
  Disputed: 4,
  Settled: 5,
  Refunded: 6,
  Abandoned: 7,
} as const;
export type NodeState = (typeof NodeState)[keyof typeof NodeState];

/** The states in which a node's money is held and its end is open. */
export const LIVE_STATES: readonly NodeState[] = [
  NodeState.Funded,
  NodeState.Delivered,
  NodeState.Rejected,
  NodeState.Disputed,
];

/** The states in which a node's money went back to its hirer. */
export const GIVEN_BACK_STATES: readonly NodeState[] = [NodeState.Refunded, NodeState.Abandoned];

/** Why a node ended (Types.sol, `Outcome`). */
export const Outcome = {
  Accepted: 0,
  AcceptWindowLapsed: 1,
  Agreed: 2,
  Ruled: 3,
  RulingLapsed: 4,
  NonDelivery: 5,
  RejectionFinal: 6,
  Abandoned: 7,
} as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** Where the money of a node comes from (Types.sol, `FundingMode`). */
export const FundingMode = {
  Allowance: 0,
  Authorization3009: 1,
  Permit: 2,
  RefundBalance: 3,
  ParentNode: 4,
} as const;
export type FundingMode = (typeof FundingMode)[keyof typeof FundingMode];

/** `Node.state` of the interface (docs/decisions/interface.md#lifecycles). */
export type WireNodeState = 'funded' | 'delivered' | 'rejected' | 'disputed' | 'released' | 'refunded';

/** `Node.outcome` of the interface (docs/decisions/interface.md#lifecycles). */
export type WireOutcome =
  | 'accepted'
  | 'accept_window_lapsed'
  | 'ruled'
  | 'agreed'
  | 'ruling_lapsed'
  | 'non_delivery'
  | 'rejection_final'
  | 'abandoned';

const WIRE_STATES: Record<NodeState, WireNodeState | null> = {
  [NodeState.None]: null,
  [NodeState.Funded]: 'funded',
  [NodeState.Delivered]: 'delivered',
  [NodeState.Rejected]: 'rejected',
  [NodeState.Disputed]: 'disputed',
  [NodeState.Settled]: 'released',
  [NodeState.Refunded]: 'refunded',
  [NodeState.Abandoned]: 'refunded',
};

const WIRE_OUTCOMES: Record<Outcome, WireOutcome> = {
  [Outcome.Accepted]: 'accepted',
  [Outcome.AcceptWindowLapsed]: 'accept_window_lapsed',
  [Outcome.Agreed]: 'agreed',
  [Outcome.Ruled]: 'ruled',
  [Outcome.RulingLapsed]: 'ruling_lapsed',
  [Outcome.NonDelivery]: 'non_delivery',
  [Outcome.RejectionFinal]: 'rejection_final',
  [Outcome.Abandoned]: 'abandoned',
};

/** The interface's name of a chain state; `null` for None: a node is there when its money is in the escrow. */
export function wireNodeState(state: NodeState): WireNodeState | null {
  return WIRE_STATES[state];
}

/** The interface's name of an outcome. */
export function wireOutcome(outcome: Outcome): WireOutcome {
  return WIRE_OUTCOMES[outcome];
}

/** Narrows a number from the chain; throws RangeError on one that the pinned contract does not know. */
export function toNodeState(value: number): NodeState {
  return member(NodeState, value, 'node state');
}

/** As `toNodeState`, for outcomes. */
export function toOutcome(value: number): Outcome {
  return member(Outcome, value, 'outcome');
}

/** As `toNodeState`, for funding modes. */
export function toFundingMode(value: number): FundingMode {
  return member(FundingMode, value, 'funding mode');
}

function member<T extends number>(of: Readonly<Record<string, T>>, value: number, what: string): T {
  const found = Object.values(of).find((known) => known === value);
  if (found === undefined) throw new RangeError(`Unknown ${what} ${value}`);
  return found;
}
