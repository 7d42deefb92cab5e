import { MAX_LEVELS } from '#libs/kernel';
import {
  type ArgumentCondition,
  type NodeAction,
  type NodeCondition,
  NODE_TRANSITIONS,
  type NodeRole,
  type TransitionRow,
} from './node-state-machine.js';
import { effectiveState } from '../tree/node-clock.js';
import { NodeState } from '../tree/node-states.js';

/** What decides which actions are open on a node. Times in unix seconds, money in base units. */
export interface NodeActionFacts {
  readonly state: NodeState;
  readonly clock: number;
  readonly deliverBy: number;
  readonly pool: bigint;
  readonly allocated: bigint;
  readonly floor: bigint;
  readonly revisions: number;
  readonly maxRevisions: number;
  readonly payOut: boolean;
  /**
   * State of the nodes that back this one: `closed` when one ended without pay, `settled` when all are settled or there
   * are none, else `open`.
   */
  readonly backers: 'closed' | 'settled' | 'open';
  /** Level of the node in the tree; a root node is on level 1. */
  readonly level: number;
  readonly hasArbiter: boolean;
}

/** Least time to work that terms may give, in seconds (NodeLedger.sol, `MIN_WORK_SECONDS`). */
export const MIN_WORK_SECONDS = 3600;

/** Whether a condition of the transition table holds for a node at a time in unix seconds. */
export function conditionHolds(condition: NodeCondition, node: NodeActionFacts, nowSeconds: number): boolean {
  switch (condition) {
    case 'in_time':
      return nowSeconds <= node.clock;
    case 'out_of_time':
      return nowSeconds > node.clock;
    case 'before_deadline':
      return nowSeconds <= node.deliverBy;
    case 'past_deadline':
      return nowSeconds > node.deliverBy;
    case 'not_refunded_by_time':
      return effectiveState(node, nowSeconds) !== NodeState.Refunded;
    case 'revision_left':
      return node.revisions < node.maxRevisions;
    case 'backers_open':
      return node.backers !== 'closed';
    case 'backers_settled':
      return node.backers === 'settled';
    case 'nothing_allocated':
      return node.allocated === 0n;
    case 'arbiter_named':
      return node.hasArbiter;
    case 'room_below':
      return node.level < MAX_LEVELS;
    case 'payable':
      return node.payOut && node.backers === 'settled' && node.pool > node.allocated;
  }
}

const ARGUMENT_CONDITIONS: ReadonlySet<string> = new Set<ArgumentCondition>([
  'artifact_named',
  'artifact_is_the_last',
  'share_covers_children',
  'within_parents_time',
  'within_floor',
  'mode_fits',
]);

/** True for a condition that only a call's arguments can break. */
export function isArgumentCondition(condition: NodeCondition | ArgumentCondition): condition is ArgumentCondition {
  return ARGUMENT_CONDITIONS.has(condition);
}

/** An action that is open now, and who may take it. */
export interface PossibleAction {
  readonly action: NodeAction;
  readonly by: NodeRole;
}

/**
 * The actions that the contract would let through on a node now, given the right signer and fitting arguments, in the
 * order of the table. They include a withdrawal from a node that only time has settled, because a withdrawal finalizes
 * the node first.
 */
export function possibleActions(node: NodeActionFacts, nowSeconds: number): PossibleAction[] {
  const possible: PossibleAction[] = [];
  for (const { action, by } of openRows(settledByTime(node, nowSeconds), nowSeconds)) {
    if (!possible.some((known) => known.action === action)) possible.push({ action, by });
  }
  return possible;
}

/**
 * The rows of the table that are open on a node now; rows that differ only in `only` are all returned. A condition on a
 * call's arguments counts as held.
 */
export function openRows(states: readonly NodeActionFacts[], nowSeconds: number): TransitionRow[] {
  return states.flatMap((node) =>
    NODE_TRANSITIONS.filter(
      ({ from, action, when, money }) =>
        from === node.state &&
        when.every(([condition]) => isArgumentCondition(condition) || conditionHolds(condition, node, nowSeconds)) &&
        (money !== 'out' || node.pool > node.allocated) &&
        // A child has at least this time to work, and must not outlast its parent.
        (action !== 'subcontract' || nowSeconds + MIN_WORK_SECONDS <= node.deliverBy),
    ),
  );
}

/** The node as it is stored and, where `finalize` would settle it now, also as it would be afterwards. */
function settledByTime(node: NodeActionFacts, nowSeconds: number): NodeActionFacts[] {
  if (node.state === NodeState.Settled || effectiveState(node, nowSeconds) !== NodeState.Settled) return [node];
  const pool = node.state === NodeState.Disputed ? node.floor : node.pool;
  return [node, { ...node, state: NodeState.Settled, pool }];
}
