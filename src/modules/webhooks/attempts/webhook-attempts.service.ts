import { Injectable } from '@nestjs/common';
import { columnsSql, entityOf } from '../../../platform/database/entity-rows.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Page } from '../../../platform/operations/page.dto.js';
import type { PageQuery } from '../../../platform/operations/page.query.js';
import { Cursors } from '../../../platform/pagination/cursor.js';
import { pageOf } from '../../../platform/pagination/page.js';
import { READABLE_DOCUMENTS } from '../../events/events.sql-views.js';
import { WebhookAttemptDto } from '../dto/webhook-attempt.dto.js';
import { attemptList, latestAttempts } from '../endpoints/endpoint-rows.sql.js';
import { WebhookAttemptEntity } from '../endpoints/webhook-attempt.entity.js';
import type { EndpointOwner } from '../endpoints/endpoint-owner.js';
import { WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';

/** Above every id. */
const AFTER_ALL_ATTEMPTS = 'wha_~';

/** Lists what was tried. */
@Injectable()
export class WebhookAttemptsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly cursors: Cursors,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /** One page of the attempts of an endpoint, newest first. @throws ApiError `not_found`, `invalid_cursor`. */
  async list(owner: EndpointOwner, endpointId: string, { cursor, limit }: PageQuery): Promise<Page<WebhookAttemptDto>> {
    const { accountId } = owner;
    const binding = { accountId, operationId: 'listWebhookAttempts', filters: { endpoint_id: endpointId } };
    const [below = AFTER_ALL_ATTEMPTS] = cursor === undefined ? [] : this.cursors.open(binding, cursor);
    await this.endpoints.get(owner, endpointId);
    const { manager } = this.transactions;
    const statement = attemptList(columnsSql(manager, WebhookAttemptEntity, 'attempt'), limit + 1);
    const rows = await this.transactions.lookUp<Record<string, unknown>>(statement, [endpointId, below]);
    return pageOf(
      rows.map((row) => entityOf(manager, WebhookAttemptEntity, row)),
      limit,
      (attempt) => WebhookAttemptDto.from(attempt),
      ({ id }) => [id],
      (position) => this.cursors.seal(binding, position),
    );
  }

  /** One attempt of an endpoint. @throws ApiError `not_found`, also for one of another endpoint. */
  async get(owner: EndpointOwner, endpointId: string, id: string): Promise<WebhookAttemptEntity> {
    await this.endpoints.get(owner, endpointId);
    const attempt = await this.transactions.manager.findOneBy(WebhookAttemptEntity, { id, endpointId });
    if (!attempt) throw new ApiError('not_found', 'There is no such attempt.', 'Each is kept for 30 days.');
    return attempt;
  }

  /** The latest attempt of each of these endpoints that has one, by the endpoint's id. */
  async latest(endpointIds: readonly string[]): Promise<Map<string, WebhookAttemptEntity>> {
    const { manager } = this.transactions;
    const statement = latestAttempts(columnsSql(manager, WebhookAttemptEntity, 'attempt'));
    const rows = await this.transactions.lookUp<Record<string, unknown>>(statement, [endpointIds]);
    const attempts = rows.map((row) => entityOf(manager, WebhookAttemptEntity, row));
    return new Map(attempts.map((attempt) => [attempt.endpointId, attempt]));
  }

  /** What is sent of these events, by their ids: the bodies. Events that the log has no longer are absent. */
  async bodies(accountId: string, eventIds: readonly string[]): Promise<Map<string, string>> {
    const values = [[...new Set(eventIds)], accountId];
    const rows = await this.transactions.lookUp<{ id: string; document: string }>(READABLE_DOCUMENTS, values);
    return new Map(rows.map(({ id, document }) => [id, document]));
  }
}
