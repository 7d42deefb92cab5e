import type { EscrowPrimaryType } from './typed-data-schemas.js';

/** States of a node as the contract numbers them (libs/contracts, `NodeState`). */
export const NODE_STATE = {
  none: 0,
  funded: 1,
  delivered: 2,
  rejected: 3,
  disputed: 4,
  settled: 5,
  refunded: 6,
  abandoned: 7,
} as const;
export type NodeStateName = keyof typeof NODE_STATE;

/**
 * What has to be true of a node for a kind. The holder of a right may use it while now ≤ t, the other side from then on
 * (docs/decisions/escrow.md#time-windows).
 */
export type NodeCondition =
  | 'none'
  | 'deadline_runs'
  /** As `deadline_runs`; a rejected node must also have a revision left, and its clock must run. */
  | 'deliverable'
  | 'deadline_is_over'
  | 'clock_runs'
  /** A delivery can be accepted at any time, a rejection or a dispute given up only while its clock runs. */
  | 'clock_runs_unless_delivered'
  | 'no_subcontracts';

/** What this library knows of a kind. */
export interface KindRule {
  /** The escrow's EIP-712 struct for this kind. */
  readonly struct: EscrowPrimaryType;
  /** Function of the escrow that carries it out; null: the signature is kept, and a payment carries it or what it says. */
  readonly call: string | null;
  /** Member of the struct that is the path of its node; null: the kind is for no node. */
  readonly nodeMember: 'nodeId' | 'terms.nodeId' | null;
  /** True when `node_id` names the node above that one, under which somebody is hired; absent: the node itself. */
  readonly isUnderNode?: true;
  /**
   * What the nonce must be (docs/decisions/escrow.md#nonces): that of a new node or of a node at its version, one of those
   * for withdrawals, or 0 for what no node is known of.
   */
  readonly nonce: 'zero' | 'new_node' | 'node' | 'withdrawal';
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

const ON_NODE = {
  nodeMember: 'nodeId',
  nonce: 'node',
  signerMember: null,
  takesMoney: false,
  isKept: false,
} as const;

/**
 * Every kind that the service prepares, in the order of docs/decisions/interface.md#prepared-actions; what was added to
 * those comes after. What is not here is never signable.
 */
export const KINDS = {
  create_task: {
    struct: 'CreateTask',
    call: null,
    nodeMember: null,
    nonce: 'zero',
    signerMember: 'buyer',
    states: [],
    nodeCondition: 'none',
    amountIsNodes: false,
    takesMoney: false,
    isKept: true,
  },
  select_agent: {
    struct: 'SelectAgent',
    call: null,
    nodeMember: 'terms.nodeId',
    nonce: 'new_node',
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
    nodeMember: 'terms.nodeId',
    nonce: 'new_node',
    states: ['none'],
    nodeCondition: 'none',
    amountIsNodes: false,
    takesMoney: true,
  },
  submit_quote: {
    struct: 'SubmitQuote',
    call: null,
    nodeMember: 'terms.nodeId',
    nonce: 'new_node',
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
    nodeMember: 'terms.nodeId',
    isUnderNode: true,
    nonce: 'new_node',
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
    nonce: 'withdrawal',
    states: ['delivered', 'disputed', 'settled'],
    nodeCondition: 'none',
    amountIsNodes: false,
  },
  withdraw_refund: {
    ...ON_NODE,
    struct: 'WithdrawRefund',
    call: 'withdrawRefund',
    nodeMember: null,
    nonce: 'withdrawal',
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
    nodeCondition: 'deliverable',
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
  'funded',
  'delivered',
  'rejected',
  'disputed',
  'settled',
  'refunded',
  'abandoned',
] as const satisfies readonly NodeStateName[];

/**
 * True for a kind that is binding as soon as it is signed: it has no transaction of its own, and a later one for the task
 * rests on it.
 */
export function holdsOnceSigned(kind: string): kind is KeptKind {
  return ruleOf(kind)?.isKept === true;
}
