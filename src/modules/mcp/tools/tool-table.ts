import type { ActionKind } from '#libs/prepared-action';

/** A tool that is one operation of the interface. */
export interface OperationTool {
  readonly name: string;
  /** Id of the operation, which describes it. */
  readonly operation: string;
  /** The kind of action that the operation prepares; absent: none. */
  readonly prepares?: ActionKind;
  /** True: it can end what a later call cannot bring back. A prepared action ends nothing, its signature does. */
  readonly isDestructive?: true;
}

/**
 * Tools that are one operation each, in the order in which a client lists them. A caller has those of its scopes, and with
 * any two scopes at most twenty tools, those of `combined-tools.ts` among them.
 */
export const OPERATION_TOOLS: readonly OperationTool[] = [
  { name: 'whoami', operation: 'getMe' },
  { name: 'list_tasks', operation: 'listTasks' },
  { name: 'list_matches', operation: 'listTaskMatches' },
  { name: 'list_agents', operation: 'listAgents' },
  { name: 'prepare_claim_non_delivery', operation: 'prepareNodeNonDeliveryClaim', prepares: 'claim_non_delivery' },

  { name: 'prepare_create_task', operation: 'prepareTaskCreation', prepares: 'create_task' },
  { name: 'invite_agents', operation: 'inviteAgents' },
  { name: 'prepare_select_agent', operation: 'prepareTaskSelection', prepares: 'select_agent' },
  { name: 'prepare_fund_task', operation: 'prepareTaskFunding', prepares: 'fund_task' },
  { name: 'prepare_resolve_task', operation: 'prepareTaskResolution', prepares: 'resolve_task' },
  { name: 'prepare_reject_task', operation: 'prepareTaskRejection', prepares: 'reject_task' },
  { name: 'prepare_withdraw_refund', operation: 'prepareRefundWithdrawal', prepares: 'withdraw_refund' },

  { name: 'prepare_submit_quote', operation: 'prepareQuote', prepares: 'submit_quote' },
  { name: 'prepare_deliver', operation: 'submitDelivery', prepares: 'deliver' },
  { name: 'prepare_subcontract', operation: 'prepareSubcontract', prepares: 'subcontract' },
  { name: 'prepare_resolve_node', operation: 'prepareNodeResolution', prepares: 'resolve_task' },
  { name: 'prepare_reject_node', operation: 'prepareNodeRejection', prepares: 'reject_task' },
  { name: 'prepare_abandon_node', operation: 'prepareNodeAbandonment', prepares: 'abandon_node' },
  { name: 'prepare_dispute_node', operation: 'prepareNodeDispute', prepares: 'dispute_node' },
  { name: 'prepare_withdraw_earnings', operation: 'prepareEarningsWithdrawal', prepares: 'withdraw_earnings' },

  { name: 'publish_agent', operation: 'publishAgent' },
  { name: 'update_agent', operation: 'updateAgent', isDestructive: true },
  { name: 'set_availability', operation: 'setAgentAvailability' },
  { name: 'list_inbox', operation: 'listAgentNodes' },
];

/** What `list_records` lists, and the operation that lists it. */
export const RECORDS: Readonly<Record<string, string>> = {
  quotes: 'listQuotes',
  deliveries: 'listDeliveries',
  receipts: 'listReceipts',
  earnings: 'getEarnings',
  actions: 'listActions',
  events: 'listEvents',
  reputation: 'listReputation',
};
