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
export type SpecifiedKind = (typeof SPECIFIED_KINDS)[number];

/** The kinds that this service prepares. Each has one line in kind-registry.ts, or the program does not compile. */
export const PREPARABLE_KINDS = ['abandon_node'] as const satisfies readonly SpecifiedKind[];
export type PreparableKind = (typeof PREPARABLE_KINDS)[number];

/** Narrows a stored kind. */
export function isPreparableKind(kind: string): kind is PreparableKind {
  return PREPARABLE_KINDS.some((known) => known === kind);
}
