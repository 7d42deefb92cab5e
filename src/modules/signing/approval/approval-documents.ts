import { Injectable } from '@nestjs/common';
import { type ActionStatus, type ChainReading, holdsOnceSigned, readingToJson } from '#libs/prepared-action';
import { envelopeOf } from '../../prepared-actions/action/action-envelope.js';
import { ActionHistory } from '../../prepared-actions/lifecycle/action-history.js';
import { ActionsService } from '../../prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../../prepared-actions/action/signing-links.js';
import { ApprovalDeployments } from './approval-deployment.js';
import type { ApprovalDocument, OriginatingRequest, ServiceReading, SignedPart } from '#libs/approval-wire';
import { leftText } from '../pages/approval-copy.js';
import { ApprovalFacts } from './approval-facts.js';
import { intentOf } from './approval-intent.js';
import { ServiceReadings } from './service-readings.js';

/** Makes the document of an action, with everything that the approval page shows and checks. */
@Injectable()
export class ApprovalDocuments {
  constructor(
    private readonly history: ActionHistory,
    private readonly actions: ActionsService,
    private readonly links: SigningLinks,
    private readonly facts: ApprovalFacts,
    private readonly deployments: ApprovalDeployments,
    private readonly readings: ServiceReadings,
  ) {}

  /**
   * The document for the browser that has opened the action. When the chain cannot be reached, `service_reading` has no
   * members.
   */
  async documentOf(action: PreparedActionEntity): Promise<ApprovalDocument> {
    const envelope = envelopeOf(action, this.links.reopen(action));
    const [{ status, transactionHash }, { facts, tree }, credential] = await Promise.all([
      this.history.statusOf(action),
      this.facts.surroundingsOf(action),
      this.facts.credentialOf(action),
    ]);
    const signed = await this.signedPart(action, status);
    return {
      action: envelope,
      ...(envelope.remaining === undefined ? {} : { next: leftText(envelope.remaining) }),
      ...(tree === null ? {} : { tree }),
      status,
      ...(status === 'declined' && action.declinedBy !== null ? { declined_by: action.declinedBy } : {}),
      ...(signed === null ? {} : { signed }),
      ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
      request: askedRequestOf(action),
      deployment: this.deployments.shown,
      facts,
      requester: this.facts.requesterIn(action, credential),
      asked_at: action.createdAt.toISOString(),
      service_reading: readingMembersOf(await this.readings.of(envelope, intentOf(action, tree))),
    };
  }

  /**
   * The signed part, for an action that still has to be sent; null for an action that takes effect by its signature
   * alone, or that the chain already knows.
   */
  private async signedPart(action: PreparedActionEntity, status: ActionStatus): Promise<SignedPart | null> {
    const { kind, signature, validUntil } = action;
    if (signature === null || holdsOnceSigned(kind) || (status !== 'signed' && status !== 'unknown')) return null;
    const transaction = await this.actions.sendable(action, status);
    return transaction === null ? null : { signature, transaction, valid_until: validUntil.toISOString() };
  }
}

function readingMembersOf(reading: ChainReading): ServiceReading {
  return { ...readingToJson(reading), source: 'service' };
}

function askedRequestOf({ request }: PreparedActionEntity): OriginatingRequest | null {
  if (request === null) return null;
  const { path, body } = request;
  return body === undefined ? { method: 'POST', path } : { method: 'POST', path, body };
}
