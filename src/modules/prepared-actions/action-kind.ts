import type { NodeInput } from './intent-inputs.js';
import type { CreateTaskInput } from './kinds/create-task.js';
import type { FundTaskInput } from './kinds/fund-task.js';
import type { SubcontractInput } from './kinds/subcontract.js';

/**
 * Every kind the specification names (spec: PreparedAction.kind), in its order. An open response enumeration: a client
 * tolerates others in lists and refuses one it did not ask for.
 */
export const SPECIFIED_KINDS = [
  'create_task',
  'select_agent',
  'fund_task',
  'submit_quote',
  'subcontract',
  'resolve_task',
  'reject_task',
  'abandon_node',
  'claim_non_delivery',
  'withdraw_earnings',
  'withdraw_refund',
] as const;

/** What the operations of each kind take beside the caller, by kind. Each has one line in kind-registry.ts. */
export interface KindInputs {
  create_task: CreateTaskInput;
  fund_task: FundTaskInput;
  subcontract: SubcontractInput;
  abandon_node: NodeInput;
}

/** The kinds that this service prepares; those beyond the specification's are `deliver` and `dispute_node`. */
export type PreparableKind = keyof KindInputs;

const PREPARABLE: Readonly<Record<PreparableKind, true>> = {
  create_task: true,
  fund_task: true,
  subcontract: true,
  abandon_node: true,
};

/** Narrows a stored kind. */
export function isPreparableKind(kind: string): kind is PreparableKind {
  return Object.hasOwn(PREPARABLE, kind);
}
