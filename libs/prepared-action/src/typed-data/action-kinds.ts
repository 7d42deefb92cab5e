import type { EscrowPrimaryType } from './typed-data-schemas.js';

/** States of a node as the contract numbers them (libs/contracts, `NodeState`). */
export const NODE_STATE = {
  none: 0,
  selected: 1,
  funded: 2,
  delivered: 3,
  rejected: 4,
  disputed: 5,
  settled: 6,
  refunded: 7,
  abandoned: 8,
} as const;
export type NodeStateName = keyof typeof NODE_STATE;

/**
 * What has to be true of a node for a kind. The holder of a right may use it while now ≤ t, the other side from then on
 * (docs/decisions/escrow.md#time-windows).
 */
export type NodeCondition =
  | 'none'
  | 'deadline_runs'
  | 'deadline_is_over'
  | 'clock_runs'
  /** A delivery can be accepted at any time, a rejection or a dispute given up only while its clock runs. */
  | 'clock_runs_unless_delivered'
  | 'no_subcontracts';

/** What this library knows of a kind. */
export interface KindRule {
  /** The escrow's EIP-712 struct for this kind. */
  readonly struct: EscrowPrimaryType;
  /** Function of the escrow that carries it out; null: another action carries the signature along. */
  readonly call: string | null;
  /** Member of the struct that is the number of the node `node_id` names; null: the kind is for no node. */
  readonly nodeMember: 'nodeId' | 'terms.nodeId' | 'terms.parentNodeId' | null;
  /** Member that holds the signing wallet; null: the contract knows the wallet. */
  readonly signerMember: 'buyer' | 'terms.worker' | 'account' | null;
  /** States of that node in which the contract takes the action; empty: any. `none`: it must not exist yet. */
  readonly states: readonly NodeStateName[];
  /** What has to be true of that node beside its state. */
  readonly nodeCondition: NodeCondition;
  /** True when the member `amount` is the whole amount of that node, which the chain has as well. */
  readonly amountIsNodes: boolean;
  /** True when money may come from the wallet, by the token's own message or by the escrow's. */
  readonly takesMoney: boolean;
  /** True when the signature is kept, and so lives longer than the prepared action. */
  readonly isKept: boolean;
  /** True for a kind that was added to those of the first interface; absent: it was named from the first. */
  readonly isAddition?: true;
}

const ON_NODE = { nodeMember: 'nodeId', signerMember: null, takesMoney: false, isKept: false } as const;

/**
 * Every kind that the service prepares, in the order of docs/decisions/interface.md#prepared-actions; what was added to
 * those comes after. What is not here is never signable.
 */
export const KINDS = {
  create_task: {
    struct: 'CreateTask',
    call: 'createTask',
    nodeMember: null,
    signerMember: 'buyer',
    states: [],
    nodeCondition: 'none',
    amountIsNodes: false,
    takesMoney: false,
    isKept: true,
  },
  select_agent: {
    struct: 'SelectAgent',
    call: 'selectAgent',
    nodeMember: 'terms.nodeId',
    signerMember: null,
    states: ['none'],
    nodeCondition: 'none',
    amountIsNodes: false,
    takesMoney: false,
    isKept: true,
  },
  fund_task: {
    ...ON_NODE,
    struct: 'FundTask',
    call: 'fundTask',
    states: ['none', 'selected'],
    nodeCondition: 'clock_runs',
    amountIsNodes: true,
    takesMoney: true,
  },
  submit_quote: {
    struct: 'SubmitQuote',
    call: null,
    nodeMember: 'terms.nodeId',
    signerMember: 'terms.worker',
    states: ['none'],
    nodeCondition: 'none',
    amountIsNodes: false,
    takesMoney: false,
    isKept: true,
  },
  subcontract: {
    ...ON_NODE,
    struct: 'Subcontract',
    call: 'subcontract',
    nodeMember: 'terms.parentNodeId',
    states: ['funded'],
    nodeCondition: 'deadline_runs',
    amountIsNodes: false,
    takesMoney: true,
  },
  resolve_task: {
    ...ON_NODE,
    struct: 'ResolveTask',
    call: 'resolveTask',
    states: ['delivered', 'rejected', 'disputed'],
    nodeCondition: 'clock_runs_unless_delivered',
    amountIsNodes: true,
  },
  reject_task: {
    ...ON_NODE,
    struct: 'RejectTask',
    call: 'rejectTask',
    states: ['delivered'],
    nodeCondition: 'clock_runs',
    amountIsNodes: false,
  },
  abandon_node: {
    ...ON_NODE,
    struct: 'AbandonNode',
    call: 'abandonNode',
    states: ['funded'],
    nodeCondition: 'no_subcontracts',
    amountIsNodes: true,
  },
  claim_non_delivery: {
    ...ON_NODE,
    struct: 'ClaimNonDelivery',
    call: 'claimNonDelivery',
    states: ['funded'],
    nodeCondition: 'deadline_is_over',
    amountIsNodes: true,
  },
  withdraw_earnings: {
    ...ON_NODE,
    struct: 'WithdrawEarnings',
    call: 'withdrawEarnings',
    states: ['delivered', 'disputed', 'settled'],
    nodeCondition: 'none',
    amountIsNodes: false,
  },
  withdraw_refund: {
    ...ON_NODE,
    struct: 'WithdrawRefund',
    call: 'withdrawRefund',
    nodeMember: null,
    signerMember: 'account',
    states: [],
    nodeCondition: 'none',
    amountIsNodes: false,
  },
  deliver: {
    ...ON_NODE,
    struct: 'Deliver',
    call: 'deliver',
    states: ['funded', 'rejected'],
    nodeCondition: 'deadline_runs',
    amountIsNodes: false,
    isAddition: true,
  },
  dispute_node: {
    ...ON_NODE,
    struct: 'DisputeNode',
    call: 'disputeNode',
    states: ['rejected'],
    nodeCondition: 'clock_runs',
    amountIsNodes: false,
    isAddition: true,
  },
} as const satisfies Readonly<Record<string, KindRule>>;

export type ActionKind = keyof typeof KINDS;

/** The kinds whose signature is kept. */
export type KeptKind = { [K in ActionKind]: (typeof KINDS)[K]['isKept'] extends true ? K : never }[ActionKind];

/**
 * Every kind that was named from the first, in order. An open response enumeration: a client tolerates others in lists
 * and refuses one it did not ask for.
 */
export const SPECIFIED_KINDS: readonly string[] = Object.keys(KINDS).filter((kind) => !ruleOf(kind)?.isAddition);

/** Narrows a kind to one that is known here. */
export function isActionKind(kind: unknown): kind is ActionKind {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind);
}

/** The rule of a kind; null for one that is not known here. */
export function ruleOf(kind: unknown): KindRule | null {
  return isActionKind(kind) ? KINDS[kind] : null;
}

/** The name of a state's number. */
export function stateName(state: number): NodeStateName | null {
  for (const name of stateNames) if (NODE_STATE[name] === state) return name;
  return null;
}

const stateNames = [
  'none',
  'selected',
  'funded',
  'delivered',
  'rejected',
  'disputed',
  'settled',
  'refunded',
  'abandoned',
] as const satisfies readonly NodeStateName[];

/**
 * True for a kind that is binding as soon as it is signed: a later transaction for the task takes its signature to the
 * chain.
 */
export function holdsOnceSigned(kind: string): kind is KeptKind {
  return ruleOf(kind)?.isKept === true;
}
