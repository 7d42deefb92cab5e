import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { READABLE_AMONG } from '../../events/events.sql-views.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { COUNT_WAITING } from '../endpoints/endpoint-rows.sql.js';
import { positionBefore } from '../endpoints/log-time.js';
import type { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import type { EndpointOwner } from '../endpoints/endpoint-owner.js';
import { WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';
import { DROP_BEHIND, MOVE_BACK, REPLAY_EVENTS, REPLAY_FAILED, RESUME } from './replay.sql.js';

/** What is sent again. */
export type Replay =
  | { readonly what: 'since'; readonly since: Date }
  | { readonly what: 'events'; readonly eventIds: readonly string[] }
  | { readonly what: 'failed' };

/** Sends events again, which keep their ids, and sends one that only tests the way. */
@Injectable()
export class WebhookReplaysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /**
   * @returns how many single events are sent again; null for everything since a time, which nobody counts.
   * @throws ApiError `not_found` (the endpoint, or an event that the account may not read), `state_conflict` (it is
   *   disabled), `invalid_body` (a time to come).
   */
  replay(owner: EndpointOwner, id: string, replay: Replay): Promise<number | null> {
    return this.transactions.run(async (manager) => {
      const endpoint = await this.enabled(manager, owner, id);
      const now = this.clock.now();
      const events = await this.again(manager, endpoint, replay, now);
      await manager.query(COUNT_WAITING, [id]);
      await manager.query(RESUME, [id, now]);
      return events;
    });
  }

  /** Records an event for this endpoint alone. @returns its id. @throws ApiError `not_found`, `state_conflict`. */
  test(owner: EndpointOwner, id: string): Promise<string> {
    return this.transactions.run(async (manager) => {
      const { accountId } = await this.enabled(manager, owner, id);
      const [eventId = ''] = await recordEvents(manager, [
        {
          type: 'webhook_endpoint.test',
          at: this.clock.now(),
          subject: { kind: 'webhook_endpoint', id },
          audience: [accountId],
          data: {},
        },
      ]);
      return eventId;
    });
  }

  private async again(
    manager: EntityManager,
    { id, accountId }: WebhookEndpointEntity,
    replay: Replay,
    now: Date,
  ): Promise<number | null> {
    switch (replay.what) {
      case 'since': {
        if (replay.since > now) throw new ApiError('invalid_body', 'since is a time in the past.');
        const position = positionBefore(replay.since, this.clock.nowMs() - this.clock.wallMs());
        await manager.query(MOVE_BACK, [id, position]);
        await manager.query(DROP_BEHIND, [id, position]);
        return null;
      }
      case 'events': {
        const ids = [...new Set(replay.eventIds)];
        const events = await manager.query<{ id: string; sequence: string }[]>(READABLE_AMONG, [ids, accountId]);
        if (events.length < ids.length) throw new ApiError('not_found', 'One of the events is not there.');
        const values = [id, events.map((event) => event.id), events.map(({ sequence }) => sequence), now];
        await manager.query(REPLAY_EVENTS, values);
        return events.length;
      }
      case 'failed': {
        const [row] = await manager.query<{ events: number }[]>(REPLAY_FAILED, [id, now]);
        return row?.events ?? 0;
      }
    }
  }

  private async enabled(manager: EntityManager, owner: EndpointOwner, id: string): Promise<WebhookEndpointEntity> {
    const endpoint = await this.endpoints.lock(manager, owner, id);
    if (endpoint.status === 'enabled') return endpoint;
    throw new ApiError('state_conflict', 'The webhook endpoint is disabled.', 'Enable it first.');
  }
}
