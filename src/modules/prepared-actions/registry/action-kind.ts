import type { NodeInput, ReviewInput } from '../action/intent-inputs.js';
import type { DeliveryInput } from '../kinds/deliver.js';
import type { DisputeInput } from '../kinds/dispute-node.js';
import type { RejectionInput } from '../kinds/reject-task.js';
import type { CreateTaskInput } from '../kinds/create-task.js';
import type { FundTaskInput } from '../kinds/fund-task.js';
import type { SelectAgentInput } from '../kinds/select-agent.js';
import type { SubmitQuoteInput } from '../kinds/submit-quote.js';
import type { SubcontractInput } from '../kinds/subcontract.js';
import type { WithdrawEarningsInput } from '../kinds/withdraw-earnings.js';
import type { WithdrawRefundInput } from '../kinds/withdraw-refund.js';

/**
 * Every kind that was named from the first (docs/decisions/interface.md#prepared-actions), in that order. An open
 * response enumeration: a client tolerates others in lists and refuses one it did not ask for.
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
  submit_quote: SubmitQuoteInput;
  select_agent: SelectAgentInput;
  fund_task: FundTaskInput;
  subcontract: SubcontractInput;
  abandon_node: NodeInput;
  deliver: DeliveryInput;
  resolve_task: ReviewInput;
  reject_task: RejectionInput;
  dispute_node: DisputeInput;
  claim_non_delivery: NodeInput;
  withdraw_earnings: WithdrawEarningsInput;
  withdraw_refund: WithdrawRefundInput;
}

/** The kinds that this service prepares; those that were added to the first are `deliver` and `dispute_node`. */
export type PreparableKind = keyof KindInputs;

const PREPARABLE: Readonly<Record<PreparableKind, true>> = {
  create_task: true,
  submit_quote: true,
  select_agent: true,
  fund_task: true,
  subcontract: true,
  abandon_node: true,
  deliver: true,
  resolve_task: true,
  reject_task: true,
  dispute_node: true,
  claim_non_delivery: true,
  withdraw_earnings: true,
  withdraw_refund: true,
};

/** Narrows a stored kind. */
export function isPreparableKind(kind: string): kind is PreparableKind {
  return Object.hasOwn(PREPARABLE, kind);
}
