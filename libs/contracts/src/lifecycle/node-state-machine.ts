import { NodeState } from '../tree/node-states.js';

/** An action on a node that exists. `finalize` writes down what time has decided, and pays out where that was asked for. */
export type NodeAction =
  | 'subcontract'
  | 'deliver'
  | 'resolve_task'
  | 'reject_task'
  | 'abandon_node'
  | 'claim_non_delivery'
  | 'dispute_node'
  | 'rule_dispute'
  | 'agree_split'
  | 'finalize'
  | 'withdraw_earnings';

/** Who must authorise an action; `both` are hirer and worker. For `subcontract` see its row. */
export type NodeRole = 'hirer' | 'worker' | 'both' | 'arbiter' | 'anyone';

/** Something that must be true of a node, its tree or the moment. Those of `ArgumentCondition` are about the call. */
export type NodeCondition =
  | 'in_time'
  | 'out_of_time'
  | 'before_deadline'
  | 'past_deadline'
  | 'not_refunded_by_time'
  | 'revision_left'
  | 'backers_open'
  | 'backers_settled'
  | 'nothing_allocated'
  | 'arbiter_named'
  | 'room_below'
  | 'payable';
/** Something that must be true of the arguments of a call. */
export type ArgumentCondition =
  | 'artifact_named'
  | 'artifact_is_the_last'
  | 'share_covers_children'
  | 'within_parents_time'
  | 'within_floor'
  | 'mode_fits';

/** Custom error of the contract (ITaskEscrow.sol) that tells a caller what was wrong. */
export type LifecycleError =
  | 'ActionExpired'
  | 'WrongNonce'
  | 'NonceUsed'
  | 'InvalidSignature'
  | 'InvalidTerms'
  | 'NodeExists'
  | 'WrongState'
  | 'TooEarly'
  | 'TooLate'
  | 'NoRevisionLeft'
  | 'ArtifactMismatch'
  | 'InsufficientNodeBalance'
  | 'InsufficientRefund'
  | 'LiveAllocations'
  | 'ShareOutOfRange'
  | 'AncestorClosed'
  | 'AncestorNotSettled'
  | 'NoArbiter'
  | 'InvalidRecipient';

/** Where money goes in a step (docs/decisions/escrow.md#money-of-nested-nodes). */
export type MoneyRule =
  /** Nothing moves. */
  | 'none'
  /** A part of the node is promised to a child, or the hirer brings the child's price. */
  | 'promise'
  /** All that is left belongs to the worker and the children. */
  | 'keep'
  /** All that is left goes back to where it came from. */
  | 'back'
  /** The named share stays, the rest goes back. */
  | 'share'
  /** The floor that both signed stays, the rest goes back. */
  | 'floor'
  /** The worker's own share, or a part of it, leaves the escrow. */
  | 'out';

/** One row of the table: an action that is open in a state, with its conditions and its effect. */
export interface TransitionRow {
  readonly from: NodeState;
  readonly action: NodeAction;
  readonly by: NodeRole;
  /** What must hold, in the order in which the contract asks, each with the error of a call for which it does not. */
  readonly when: readonly (readonly [NodeCondition | ArgumentCondition, LifecycleError])[];
  /** The case of this row, where several have the same `from` and `action`; absent where only one has. */
  readonly only?: 'contestable' | 'uncontestable' | 'paid' | 'unpaid';
  readonly to: NodeState;
  readonly money: MoneyRule;
}

const { Funded, Delivered, Rejected, Disputed, Settled, Refunded, Abandoned } = NodeState;

/** A child may be hired only below a funded node; who hires is that node's worker. No id lies below the eighth level. */
const HIRE_BELOW: TransitionRow['when'] = [
  ['room_below', 'InvalidTerms'],
  ['within_parents_time', 'InvalidTerms'],
  ['backers_open', 'AncestorClosed'],
  ['within_floor', 'InsufficientNodeBalance'],
  ['mode_fits', 'InvalidTerms'],
];
const IN_DELIVERY_TIME: TransitionRow['when'] = [
  ['before_deadline', 'TooLate'],
  ['artifact_named', 'InvalidTerms'],
];
const BACKED: TransitionRow['when'] = [['backers_open', 'AncestorClosed']];
const LAST_ARTIFACT: TransitionRow['when'] = [['artifact_is_the_last', 'ArtifactMismatch']];
const WHOLE_CHILDREN: TransitionRow['when'] = [['share_covers_children', 'ShareOutOfRange']];

/**
 * The life of a node from its funding on as data (docs/decisions/escrow.md#states-of-a-node): everything that is not listed is refused with
 * `WrongState`. The holder of a right may use it while `now <= t` (`in_time`, `before_deadline`), the other side from
 * `now > t`. `clock` is the last second of the right that the state gives, `deliverBy` the deadline.
 */
export const NODE_TRANSITIONS: readonly TransitionRow[] = [
  { from: Funded, action: 'subcontract', by: 'worker', when: HIRE_BELOW, to: Funded, money: 'promise' },
  {
    from: Funded,
    action: 'deliver',
    by: 'worker',
    when: [...IN_DELIVERY_TIME, ...BACKED],
    to: Delivered,
    money: 'none',
  },
  {
    from: Rejected,
    action: 'deliver',
    by: 'worker',
    when: [['in_time', 'WrongState'], ...IN_DELIVERY_TIME, ['revision_left', 'NoRevisionLeft'], ...BACKED],
    to: Delivered,
    money: 'none',
  },
  // A delivery can be accepted after its window, too: by then, silence has accepted it anyway. A rejected or disputed
  // one can be accepted only in time.
  { from: Delivered, action: 'resolve_task', by: 'hirer', when: LAST_ARTIFACT, to: Settled, money: 'keep' },
  ...[Rejected, Disputed].map<TransitionRow>((from) => ({
    from,
    action: 'resolve_task',
    by: 'hirer',
    when: [['in_time', 'WrongState'], ...LAST_ARTIFACT],
    to: Settled,
    money: 'keep',
  })),
  {
    from: Delivered,
    action: 'reject_task',
    by: 'hirer',
    when: [['in_time', 'TooLate'], ...LAST_ARTIFACT],
    only: 'contestable',
    to: Rejected,
    money: 'none',
  },
  {
    from: Delivered,
    action: 'reject_task',
    by: 'hirer',
    when: [['in_time', 'TooLate'], ...LAST_ARTIFACT],
    only: 'uncontestable',
    to: Refunded,
    money: 'back',
  },
  {
    from: Funded,
    action: 'abandon_node',
    by: 'worker',
    when: [['nothing_allocated', 'LiveAllocations']],
    to: Abandoned,
    money: 'back',
  },
  {
    from: Funded,
    action: 'claim_non_delivery',
    by: 'anyone',
    when: [['past_deadline', 'TooEarly']],
    to: Refunded,
    money: 'back',
  },
  {
    from: Rejected,
    action: 'dispute_node',
    by: 'worker',
    when: [
      ['in_time', 'TooLate'],
      ['arbiter_named', 'NoArbiter'],
    ],
    to: Disputed,
    money: 'none',
  },
  ...paidOrUnpaid({ from: Disputed, action: 'rule_dispute', by: 'arbiter', when: [['in_time', 'TooLate']] }),
  ...[Funded, Delivered].flatMap((from) =>
    paidOrUnpaid({ from, action: 'agree_split', by: 'both', when: WHOLE_CHILDREN }),
  ),
  // What time has refunded cannot be replaced by an agreed split: the nodes below already rely on it.
  ...paidOrUnpaid({
    from: Rejected,
    action: 'agree_split',
    by: 'both',
    when: [['in_time', 'TooLate'], ...WHOLE_CHILDREN],
  }),
  ...paidOrUnpaid({
    from: Disputed,
    action: 'agree_split',
    by: 'both',
    when: [['not_refunded_by_time', 'TooLate'], ...WHOLE_CHILDREN],
  }),
  { from: Delivered, action: 'finalize', by: 'anyone', when: afterClock(), to: Settled, money: 'keep' },
  { from: Rejected, action: 'finalize', by: 'anyone', when: afterClock(), to: Refunded, money: 'back' },
  // A floor of nothing is a refund.
  {
    from: Disputed,
    action: 'finalize',
    by: 'anyone',
    when: afterClock(),
    only: 'paid',
    to: Settled,
    money: 'floor',
  },
  {
    from: Disputed,
    action: 'finalize',
    by: 'anyone',
    when: afterClock(),
    only: 'unpaid',
    to: Refunded,
    money: 'back',
  },
  {
    from: Settled,
    action: 'finalize',
    by: 'anyone',
    when: [['payable', 'WrongState']],
    to: Settled,
    money: 'out',
  },
  {
    from: Settled,
    action: 'withdraw_earnings',
    by: 'worker',
    when: [['backers_settled', 'AncestorNotSettled']],
    to: Settled,
    money: 'out',
  },
];

function paidOrUnpaid(row: Pick<TransitionRow, 'from' | 'action' | 'by' | 'when'>): TransitionRow[] {
  return [
    { ...row, only: 'paid', to: Settled, money: 'share' },
    { ...row, only: 'unpaid', to: Refunded, money: 'back' },
  ];
}

function afterClock(): TransitionRow['when'] {
  return [['out_of_time', 'WrongState']];
}
