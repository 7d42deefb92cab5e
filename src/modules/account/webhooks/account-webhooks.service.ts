import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { headOf } from '../../events/events.sql-views.js';
import { RequestingCredentials } from '../../oauth/storage/requesting-credential.js';
import { WebhookAttemptsService } from '../../webhooks/attempts/webhook-attempts.service.js';
import type { EndpointOwner } from '../../webhooks/endpoints/endpoint-owner.js';
import { timeOf } from '../../webhooks/endpoints/log-time.js';
import type { WebhookAttemptEntity } from '../../webhooks/endpoints/webhook-attempt.entity.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import {
  AFTER_ALL_ENDPOINTS,
  type EndpointChange,
  MAX_ENDPOINTS,
  WebhookEndpointsService,
} from '../../webhooks/endpoints/webhook-endpoints.service.js';
import { type Replay, WebhookReplaysService } from '../../webhooks/replay/webhook-replays.service.js';

/** Who made an endpoint. */
export type WebhookMaker =
  | { readonly kind: 'person' | 'ended' }
  | { readonly kind: 'key' | 'application'; readonly name: string; readonly host: string | null };

/** An endpoint and what it misses. */
export interface WebhookState {
  readonly endpoint: WebhookEndpointEntity;
  /** Since when it misses events; null: it misses none. */
  readonly missedSince: Date | null;
}

/** An endpoint with what its page says beside it. */
export interface OwnWebhook extends WebhookState {
  readonly maker: WebhookMaker;
  /** Null: nothing was sent in the last 30 days. */
  readonly latest: WebhookAttemptEntity | null;
}

/** An attempt with what was sent; null where the log has the event no longer. */
export interface OwnAttempt {
  readonly attempt: WebhookAttemptEntity;
  readonly type: string | null;
  readonly body: string | null;
}

/** An attempt in a list. */
export interface ListedAttempt {
  readonly id: string;
  readonly eventId: string;
  readonly type: string | null;
  readonly at: Date;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
}

const ATTEMPTS_SHOWN = 25;

/**
 * The webhook endpoints of an account for the person: those made on the page and those that keys and applications have
 * made. All rules are those of the interface's own services.
 */
@Injectable()
export class AccountWebhooks {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly attempts: WebhookAttemptsService,
    private readonly replays: WebhookReplaysService,
    private readonly credentials: RequestingCredentials,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** The states of all endpoints of the account, newest first; there are at most `MAX_ENDPOINTS`. */
  async states(accountId: string): Promise<WebhookState[]> {
    const endpoints = await this.endpoints.list(personIn(accountId), AFTER_ALL_ENDPOINTS, MAX_ENDPOINTS);
    return endpoints.map((endpoint) => ({ endpoint, missedSince: this.missedSince(endpoint) }));
  }

  /** As `states`, with what the page of the endpoints says beside them. */
  async list(accountId: string): Promise<OwnWebhook[]> {
    const endpoints = await this.endpoints.list(personIn(accountId), AFTER_ALL_ENDPOINTS, MAX_ENDPOINTS);
    const latest = await this.attempts.latest(endpoints.map(({ id }) => id));
    return Promise.all(endpoints.map((endpoint) => this.shown(endpoint, latest.get(endpoint.id) ?? null)));
  }

  /** One endpoint. @throws ApiError `not_found`, also for one of another account. */
  async find(accountId: string, id: string): Promise<OwnWebhook> {
    const endpoint = await this.endpoints.get(personIn(accountId), id);
    return this.shown(endpoint, (await this.attempts.latest([id])).get(id) ?? null);
  }

  /**
   * An endpoint that was made on the page.
   * @throws ApiError `not_found`; `state_conflict` for one that a program made: what it sends where is the program's own.
   */
  async findOwn(accountId: string, id: string): Promise<WebhookEndpointEntity> {
    const endpoint = await this.endpoints.get(personIn(accountId), id);
    if (endpoint.credentialId === null) return endpoint;
    throw new ApiError(
      'state_conflict',
      'A program made this endpoint, so only that program can change it.',
      'Here you can turn it off or delete it.',
    );
  }

  /** One page of attempts, newest first. @throws ApiError `not_found`, `invalid_cursor`. */
  async listAttempts(
    accountId: string,
    id: string,
    cursor: string | undefined,
  ): Promise<{ attempts: ListedAttempt[]; next: string | null }> {
    const query = { limit: ATTEMPTS_SHOWN, ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.attempts.list(personIn(accountId), id, query);
    const bodies = await this.attempts.bodies(
      accountId,
      page.data.map((attempt) => attempt.event_id),
    );
    const attempts = page.data.map((attempt) => ({
      id: attempt.id,
      eventId: attempt.event_id,
      type: typeIn(bodies.get(attempt.event_id)),
      at: new Date(attempt.at),
      httpStatus: attempt.status ?? null,
      failure: attempt.failure ?? null,
      durationMs: attempt.duration_ms,
    }));
    return { attempts, next: page.next_page };
  }

  /** One attempt. @throws ApiError `not_found`. */
  async findAttempt(accountId: string, id: string, attemptId: string): Promise<OwnAttempt> {
    const attempt = await this.attempts.get(personIn(accountId), id, attemptId);
    const body = (await this.attempts.bodies(accountId, [attempt.eventId])).get(attempt.eventId);
    return { attempt, type: typeIn(body), body: body ?? null };
  }

  /** Makes an endpoint of the account, which no credential ends. Errors as `WebhookEndpointsService.create`. */
  create(accountId: string, input: EndpointChange & { url: string }, auditId: string) {
    return this.endpoints.create(personIn(accountId, auditId), input);
  }

  /** Changes an endpoint that was made on the page; `findOwn` has been asked. Errors as `WebhookEndpointsService.update`. */
  async change(accountId: string, id: string, change: EndpointChange, auditId: string): Promise<void> {
    await this.endpoints.update(personIn(accountId, auditId), id, change);
  }

  /** As `change`: a new secret beside the present one, which signs for 24 hours more. */
  replaceSecret(accountId: string, id: string, auditId: string) {
    return this.endpoints.rotate(personIn(accountId, auditId), id);
  }

  /**
   * Turns an endpoint on.
   * @param catchesUp true: everything since the first event that it missed is sent; false: what happens from now on.
   * @throws ApiError `not_found`.
   */
  enable(accountId: string, id: string, catchesUp: boolean, auditId: string): Promise<void> {
    return this.transactions.run(async () => {
      const owner = personIn(accountId, auditId);
      const endpoint = await this.endpoints.update(owner, id, { enabled: true });
      const since = this.missedSince(endpoint);
      if (catchesUp && since) await this.replays.replay(owner, id, { what: 'since', since });
    });
  }

  /** Ends the deliveries to an endpoint. @throws ApiError `not_found`. */
  async disable(accountId: string, id: string, auditId: string): Promise<void> {
    await this.endpoints.update(personIn(accountId, auditId), id, { enabled: false });
  }

  /** @throws ApiError `not_found`. */
  async delete(accountId: string, id: string, auditId: string): Promise<void> {
    await this.endpoints.delete(personIn(accountId, auditId), id);
  }

  /** Sends a test event. @throws ApiError `not_found`, `state_conflict` (it is off). */
  async test(accountId: string, id: string): Promise<void> {
    await this.replays.test(personIn(accountId), id);
  }

  /** Sends events again. As `WebhookReplaysService.replay`. */
  replay(accountId: string, id: string, replay: Replay): Promise<number | null> {
    return this.replays.replay(personIn(accountId), id, replay);
  }

  private async shown(endpoint: WebhookEndpointEntity, latest: WebhookAttemptEntity | null): Promise<OwnWebhook> {
    return { endpoint, latest, maker: await this.makerOf(endpoint), missedSince: this.missedSince(endpoint) };
  }

  private missedSince({ missedFrom }: WebhookEndpointEntity): Date | null {
    return missedFrom === null ? null : timeOf(missedFrom, this.clock.nowMs() - this.clock.wallMs());
  }

  private async makerOf({ accountId, credentialId }: WebhookEndpointEntity): Promise<WebhookMaker> {
    if (credentialId === null) return { kind: 'person' };
    const credential = await this.credentials.find(accountId, credentialId);
    return credential?.isLive ? credential : { kind: 'ended' };
  }
}

function personIn(accountId: string, auditId: string | null = null): EndpointOwner {
  return { accountId, credentialId: null, auditId };
}

function typeIn(document: string | undefined): string | null {
  return document === undefined ? null : headOf({ document }).type;
}
