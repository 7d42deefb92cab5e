import type { EscrowPrimaryType } from './typed-data-schemas.js';

/** States of a node, each at the place that the contract numbers it by (libs/contracts, `NodeState`). */
export const NODE_STATES = [
  'none',
  'funded',
  'delivered',
  'rejected',
  'disputed',
  'settled',
  'refunded',
  'abandoned',
] as const;
export type NodeStateName = (typeof NODE_STATES)[number];

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

/** What most kinds on a node have in common. */
const ON_NODE = {
  nodeMember: 'nodeId',
  nonce: 'node',
  signerMember: null,
  states: [],
  nodeCondition: 'none',
  amountIsNodes: false,
  takesMoney: false,
  isKept: false,
} as const;
/** Signatures that are kept, of terms for a node that is to be new. */
const KEPT = {
  ...ON_NODE,
  nodeMember: 'terms.nodeId',
  nonce: 'new_node',
  states: ['none'],
  isKept: true,
} as const;
/** Payments for a node that is to be new. */
const PAYMENT = { ...ON_NODE, nodeMember: 'terms.nodeId', nonce: 'new_node', takesMoney: true } as const;
const WITHDRAWAL = { ...ON_NODE, nonce: 'withdrawal' } as const;

/**
 * Every kind that the service prepares, in the order of docs/decisions/interface.md#prepared-actions; what was added to
 * those comes after. What is not here is never signable.
 */
export const KINDS = {
  create_task: { ...KEPT, struct: 'CreateTask', nodeMember: null, nonce: 'zero', states: [], signerMember: 'buyer' },
  select_agent: { ...KEPT, struct: 'SelectAgent' },
  fund_task: { ...PAYMENT, struct: 'FundTask', states: ['none'] },
  submit_quote: { ...KEPT, struct: 'SubmitQuote', signerMember: 'terms.worker' },
  subcontract: {
    ...PAYMENT,
    struct: 'Subcontract',

    isUnderNode: true,
    states: ['funded'],
    nodeCondition: 'deadline_runs',
  },
  resolve_task: {
    ...ON_NODE,
    struct: 'ResolveTask',

    states: ['delivered', 'rejected', 'disputed'],
    nodeCondition: 'clock_runs_unless_delivered',
    amountIsNodes: true,
  },
  reject_task: {
    ...ON_NODE,
    struct: 'RejectTask',

    states: ['delivered'],
    nodeCondition: 'clock_runs',
  },
  abandon_node: {
    ...ON_NODE,
    struct: 'AbandonNode',

    states: ['funded'],
    nodeCondition: 'no_subcontracts',
    amountIsNodes: true,
  },
  claim_non_delivery: {
    ...ON_NODE,
    struct: 'ClaimNonDelivery',

    states: ['funded'],
    nodeCondition: 'deadline_is_over',
    amountIsNodes: true,
  },
  withdraw_earnings: {
    ...WITHDRAWAL,
    struct: 'WithdrawEarnings',

    states: ['delivered', 'disputed', 'settled'],
  },
  withdraw_refund: {
    ...WITHDRAWAL,
    struct: 'WithdrawRefund',

    nodeMember: null,
    signerMember: 'account',
  },
  deliver: {
    ...ON_NODE,
    struct: 'Deliver',

    states: ['funded', 'rejected'],
    nodeCondition: 'deliverable',
    isAddition: true,
  },
  dispute_node: {
    ...ON_NODE,
    struct: 'DisputeNode',

    states: ['rejected'],
    nodeCondition: 'clock_runs',
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
export const SPECIFIED_KINDS: readonly string[] = /* @__PURE__ */ Object.keys(KINDS).filter(
  (kind) => !ruleOf(kind)?.isAddition,
);

/** Narrows a kind to one that is known here. */
export function isActionKind(kind: unknown): kind is ActionKind {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind);
}

/** The rule of a kind; null for one that is not known here. */
export function ruleOf(kind: unknown): KindRule | null {
  return isActionKind(kind) ? KINDS[kind] : null;
}

/**
 * True for a kind that is binding as soon as it is signed: it has no transaction of its own, and a later one for the task
 * rests on it.
 */
export function holdsOnceSigned(kind: string): kind is KeptKind {
  return ruleOf(kind)?.isKept === true;
}
