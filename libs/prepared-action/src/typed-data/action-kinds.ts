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
  /** True when money may come from the wallet, by the token's own message or by the escrow's. */
  readonly takesMoney: boolean;
  /** True when the signature is kept, and so lives longer than the prepared action. */
  readonly isKept: boolean;
}

const ON_NODE = { nodeMember: 'nodeId', signerMember: null, takesMoney: false, isKept: false } as const;

/** Every kind that the service prepares. What is not here is never signable. */
export const KINDS = {
  create_task: {
    struct: 'CreateTask',
    call: 'createTask',
    nodeMember: null,
    signerMember: 'buyer',
    states: [],
    takesMoney: false,
    isKept: true,
  },
  submit_quote: {
    struct: 'SubmitQuote',
    call: null,
    nodeMember: 'terms.nodeId',
    signerMember: 'terms.worker',
    states: ['none'],
    takesMoney: false,
    isKept: true,
  },
  select_agent: {
    struct: 'SelectAgent',
    call: 'selectAgent',
    nodeMember: 'terms.nodeId',
    signerMember: null,
    states: ['none'],
    takesMoney: false,
    isKept: true,
  },
  fund_task: { ...ON_NODE, struct: 'FundTask', call: 'fundTask', states: ['none', 'selected'], takesMoney: true },
  subcontract: {
    ...ON_NODE,
    struct: 'Subcontract',
    call: 'subcontract',
    nodeMember: 'terms.parentNodeId',
    states: ['funded'],
    takesMoney: true,
  },
  deliver: { ...ON_NODE, struct: 'Deliver', call: 'deliver', states: ['funded', 'rejected'] },
  resolve_task: {
    ...ON_NODE,
    struct: 'ResolveTask',
    call: 'resolveTask',
    states: ['delivered', 'rejected', 'disputed'],
  },
  reject_task: { ...ON_NODE, struct: 'RejectTask', call: 'rejectTask', states: ['delivered'] },
  abandon_node: { ...ON_NODE, struct: 'AbandonNode', call: 'abandonNode', states: ['funded'] },
  claim_non_delivery: { ...ON_NODE, struct: 'ClaimNonDelivery', call: 'claimNonDelivery', states: ['funded'] },
  dispute_node: { ...ON_NODE, struct: 'DisputeNode', call: 'disputeNode', states: ['rejected'] },
  withdraw_earnings: {
    ...ON_NODE,
    struct: 'WithdrawEarnings',
    call: 'withdrawEarnings',
    states: ['delivered', 'disputed', 'settled'],
  },
  withdraw_refund: {
    ...ON_NODE,
    struct: 'WithdrawRefund',
    call: 'withdrawRefund',
    nodeMember: null,
    signerMember: 'account',
    states: [],
  },
} as const satisfies Readonly<Record<string, KindRule>>;

export type ActionKind = keyof typeof KINDS;

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
export function holdsOnceSigned(kind: string): boolean {
  return ruleOf(kind)?.isKept === true;
}
