import { Injectable } from '@nestjs/common';
import type { DescriptionFacts, TreeParties } from '#libs/prepared-action';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { Clock } from '../../../platform/time/clock.js';
import { REFERENCE_CLIENT_ID } from '../../oauth/protocol/reference-client.js';
import { type RequestingCredential, RequestingCredentials } from '../../oauth/storage/requesting-credential.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { SpendLedger, type SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import type { ApprovalRequester } from '#libs/approval-wire';
import { APPROVAL_FACTS, type ApprovalFactsRow } from './approval-facts.sql.js';

/** Facts about an action that are not in its typed data. */
export interface Surroundings {
  facts: DescriptionFacts;
  /** The parties that the address of the task's escrow commits to; null when the task is gone. */
  tree: TreeParties | null;
}

const ZERO_ADDRESS = /^0x0{40}$/;

/**
 * Reads what people are told about an action besides its typed data. Titles and names are other people's text, so each
 * is made one line.
 */
@Injectable()
export class ApprovalFacts {
  constructor(
    private readonly transactions: Transactions,
    private readonly credentials: RequestingCredentials,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly ledger: SpendLedger,
  ) {}

  /** Facts for the description of the action and what happens next, and the parties of the escrow. */
  async surroundingsOf(action: PreparedActionEntity): Promise<Surroundings> {
    const now = this.clock.thisSecond();
    const [row] = await this.transactions.lookUp<ApprovalFactsRow>(APPROVAL_FACTS, [action.id, now]);
    const facts = { nowMs: this.clock.nowMs(), ...reasonIn(action) };
    return row === undefined ? { facts, tree: null } : { facts: { ...facts, ...factsIn(row) }, tree: treeIn(row) };
  }

  /** The credential that requested the action; null when it is unknown. */
  async credentialOf({ accountId, credentialId }: PreparedActionEntity): Promise<RequestingCredential | null> {
    return credentialId === null ? null : this.credentials.find(accountId, credentialId);
  }

  /** What is taken of the limits of the credential that requested the action; null: nothing limits it. */
  async spendingOf(
    { accountId }: PreparedActionEntity,
    credential: RequestingCredential | null,
  ): Promise<SpendStanding | null> {
    const policyId = credential === null ? null : await this.credentials.spendPolicyOf(accountId, credential);
    return policyId === null ? null : this.ledger.standingOf(policyId);
  }

  /** The credential that requested the action, as people are told of it; an unknown name is empty. */
  requesterIn({ clientId }: PreparedActionEntity, credential: RequestingCredential | null): ApprovalRequester {
    if (credential === null) return { kind: clientId === null ? 'key' : 'application', name: '' };
    const { kind, host } = credential;
    const name = oneLine(credential.name);
    if (credential.clientId === REFERENCE_CLIENT_ID) return { kind, name, isOwn: true };
    if (host === null) return { kind, name };
    const isKnown = this.environment.oauthKnownClientHosts.includes(host);
    return { kind, name, documentHost: oneLine(host), isKnown };
  }
}

function factsIn(row: ApprovalFactsRow): Omit<DescriptionFacts, 'nowMs'> {
  const { title, arbiter_wallet: arbiter, deliver_by: deliverBy, accept_window_seconds: window } = row;
  const { agent_name: agentName, hirer_name: hirerName, node_amount: nodeAmount, unallocated, subcontracts } = row;
  const { hangs_on_parent: hangsOnParent, floor, revisions_left: revisionsLeft } = row;
  const { pay_out: payOut, node_state: nodeState } = row;
  return {
    ...(title === null ? {} : { taskTitle: oneLine(title) }),
    ...(arbiter === null ? {} : { hasArbiter: !ZERO_ADDRESS.test(arbiter) }),
    ...(deliverBy === null ? {} : { deliverBy: Math.floor(deliverBy.getTime() / 1000) }),
    ...(window === null ? {} : { acceptWindowSeconds: window }),
    ...(floor === null ? {} : { floor }),
    ...(revisionsLeft === null ? {} : { revisionsLeft }),
    ...(payOut === null ? {} : { payOut }),
    ...(nodeState === null ? {} : { nodeState }),
    ...(agentName === null ? {} : { agentName: oneLine(agentName) }),
    ...(hirerName === null ? {} : { hirerName: oneLine(hirerName) }),
    ...(nodeAmount === null ? {} : { nodeAmount }),
    ...(unallocated === null ? {} : { unallocated }),
    ...(subcontracts === null ? {} : { subcontracts }),
    ...(hangsOnParent === null ? {} : { hangsOnParent }),
  };
}

function treeIn({ buyer_wallet: buyer, arbiter_wallet: arbiter }: ApprovalFactsRow): TreeParties | null {
  return buyer === null || arbiter === null ? null : { buyer, arbiter };
}

function reasonIn({ kind, request }: PreparedActionEntity): Pick<DescriptionFacts, 'rejectionReason'> {
  const { reason } = { reason: undefined, ...request?.body };
  return kind === 'reject_task' && typeof reason === 'string' ? { rejectionReason: reason } : {};
}
