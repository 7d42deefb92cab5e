import { ApiPropertyOptional } from '@nestjs/swagger';
import type { EventGroup } from './event-group.js';

/** What the events of a webhook endpoint say. */
export class WebhookEndpointEventData {
  @ApiPropertyOptional({
    type: String,
    description: 'Why it gets no more events. Values: owner, gone, failing, operator. Open enumeration.',
    example: 'failing',
  })
  reason?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Since when no event was taken; absent: the last one was.',
  })
  failing_since?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Replay the endpoint since this time, and nothing is missing.',
  })
  missed_since?: string;
}

/**
 * Told to the endpoint's owner alone. The first is delivered to the owner's other endpoints, the second to the one that is
 * tested.
 */
export interface WebhookEndpointEvents {
  'webhook_endpoint.disabled': WebhookEndpointEventData;
  'webhook_endpoint.test': WebhookEndpointEventData;
}

export const WEBHOOK_ENDPOINT_EVENTS: EventGroup<WebhookEndpointEvents> = {
  data: WebhookEndpointEventData,
  subject: { kind: 'webhook_endpoint', id: 'whe_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'webhook_endpoint.disabled': {
      says: 'The endpoint gets no more events; `reason` says why.',
      example: {
        reason: 'failing',
        failing_since: '2026-11-15T12:55:00.000Z',
        missed_since: '2026-11-15T12:55:00.000Z',
      },
    },
    'webhook_endpoint.test': { says: 'Somebody tries whether the endpoint works.', example: {} },
  },
};
