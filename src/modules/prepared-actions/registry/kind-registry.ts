import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ActionKind } from '#libs/prepared-action';
import { AbandonNode } from '../kinds/abandon-node.js';
import { ClaimNonDelivery } from '../kinds/claim-non-delivery.js';
import { Deliver } from '../kinds/deliver.js';
import { DisputeNode } from '../kinds/dispute-node.js';
import { RejectTask } from '../kinds/reject-task.js';
import { ResolveTask } from '../kinds/resolve-task.js';
import { CreateTask } from '../kinds/create-task.js';
import { FundTask } from '../kinds/fund-task.js';
import { SelectAgent } from '../kinds/select-agent.js';
import { SubmitQuote } from '../kinds/submit-quote.js';
import { Subcontract } from '../kinds/subcontract.js';
import { WithdrawEarnings } from '../kinds/withdraw-earnings.js';
import { WithdrawRefund } from '../kinds/withdraw-refund.js';
import type { PreparedKind } from '../action/prepared-kind.js';

/**
 * Every kind that this service prepares, and the only list of them here: what a kind takes, who may prepare it and how a
 * stored request is read is in its own file. The client's rules (libs/prepared-action) are of the same kinds; one that is
 * missing on either side does not compile.
 */
export const KINDS = {
  create_task: CreateTask,
  submit_quote: SubmitQuote,
  select_agent: SelectAgent,
  fund_task: FundTask,
  subcontract: Subcontract,
  abandon_node: AbandonNode,
  deliver: Deliver,
  resolve_task: ResolveTask,
  reject_task: RejectTask,
  dispute_node: DisputeNode,
  claim_non_delivery: ClaimNonDelivery,
  withdraw_earnings: WithdrawEarnings,
  withdraw_refund: WithdrawRefund,
} satisfies { readonly [K in ActionKind]: Type<PreparedKind<unknown>> };

export type PreparableKind = keyof typeof KINDS;

/** What the operations of each kind take beside the caller, by kind. */
export type KindInputs = {
  readonly [K in PreparableKind]: (typeof KINDS)[K] extends Type<PreparedKind<infer Input>> ? Input : never;
};

/** True for a stored kind that this release prepares. */
export function isPreparableKind(kind: string): kind is PreparableKind {
  return Object.hasOwn(KINDS, kind);
}

/** Finds the implementation of a kind. */
@Injectable()
export class KindRegistry {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** The implementation of the kind. */
  implementationOf<K extends PreparableKind>(kind: K): PreparedKind<KindInputs[K]> {
    return this.moduleRef.get<PreparedKind<KindInputs[K]>>(KINDS[kind]);
  }
}
