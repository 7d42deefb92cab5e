import type { EntityManager } from 'typeorm';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { COUNT_WAITING, FIRST_MISSED, GIVE_ALL_UP } from './endpoint-rows.sql.js';
import { type DisabledReason, WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/**
 * Ends the deliveries to an endpoint, and tells its owner: silently disabled endpoints are how events get lost. Nothing of
 * the log is lost: `missedFrom` says from where to replay. One that is disabled already stays as it is.
 * @param endpoint its row, which is locked; what changes is written into it too.
 */
export async function disableEndpoint(
  manager: EntityManager,
  endpoint: WebhookEndpointEntity,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  if (endpoint.status === 'disabled') return;
  const { id, accountId, failingSince } = endpoint;
  const [first] = await manager.query<{ from: string }[]>(FIRST_MISSED, [id]);
  await manager.query(GIVE_ALL_UP, [id]);
  const changed = {
    status: 'disabled' as const,
    disabledReason: reason,
    disabledAt: now,
    missedFrom: first?.from ?? null,
    updatedAt: now,
  };
  await manager.update(WebhookEndpointEntity, { id }, changed);
  await manager.query(COUNT_WAITING, [id]);
  Object.assign(endpoint, changed, { waiting: 0 });
  await recordEvents(manager, [
    {
      type: 'webhook_endpoint.disabled',
      at: now,
      subject: { kind: 'webhook_endpoint', id },
      audience: [accountId],
      data: { reason, ...(failingSince === null ? {} : { failing_since: failingSince.toISOString() }) },
    },
  ]);
}
