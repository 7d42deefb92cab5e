import { Injectable } from '@nestjs/common';
import {
  chainQueries,
  type ChainQuery,
  type Intent,
  type PreparedAction,
  readingFrom,
  readingToJson,
} from '#libs/prepared-action';
import { ChainClient } from '../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../platform/chain/chain-unavailable.error.js';
import { envelopeOf } from '../prepared-actions/action-envelope.js';
import { ActionHistory } from '../prepared-actions/action-history.js';
import type { PreparedActionEntity } from '../prepared-actions/prepared-action.entity.js';
import { SigningLinks } from '../prepared-actions/signing-links.js';
import { ApprovalDeployments } from './approval-deployment.js';
import type { ApprovalDocument, AskedRequest, ServiceReading } from './approval-document.js';
import { ApprovalFacts } from './approval-facts.js';
import { intentOf } from './approval-intent.js';

/** Everything about one action that the approval page shows and checks. */
@Injectable()
export class ApprovalDocuments {
  constructor(
    private readonly history: ActionHistory,
    private readonly links: SigningLinks,
    private readonly facts: ApprovalFacts,
    private readonly deployments: ApprovalDeployments,
    private readonly chain: ChainClient,
  ) {}

  /** For the browser that has the action open. A chain that cannot be asked leaves the reading without members. */
  async of(action: PreparedActionEntity): Promise<ApprovalDocument> {
    const envelope = envelopeOf(action, this.links.reopen(action));
    const [{ status, transactionHash }, { facts, tree }, requester] = await Promise.all([
      this.history.statusOf(action),
      this.facts.of(action),
      this.facts.requesterOf(action),
    ]);
    return {
      action: envelope,
      ...(tree === null ? {} : { tree }),
      status,
      ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
      request: askedRequestOf(action),
      deployment: this.deployments.shown,
      facts,
      requester,
      asked_at: action.createdAt.toISOString(),
      service_reading: await this.reading(envelope, intentOf(action, tree)),
    };
  }

  private async reading(action: PreparedAction, intent: Intent): Promise<ServiceReading> {
    const asked = { action, intent, deployment: this.deployments.pinned };
    const queries = chainQueries(action, intent, asked.deployment);
    const answers = await Promise.all(queries.map((query) => this.answerTo(query)));
    return { ...readingToJson(readingFrom('service', Object.fromEntries(answers.flat()), asked)), source: 'service' };
  }

  /** What cannot be answered is left out: a view that reverts says nothing for this action. */
  private async answerTo({ name, method, params }: ChainQuery): Promise<[string, unknown][]> {
    try {
      return [[name, await this.chain.query(method, params)]];
    } catch (error) {
      if (error instanceof ChainUnavailableError) return [];
      throw error;
    }
  }
}

function askedRequestOf({ request }: PreparedActionEntity): AskedRequest | null {
  if (request === null) return null;
  const { path, body } = request;
  return body === undefined ? { method: 'POST', path } : { method: 'POST', path, body };
}
