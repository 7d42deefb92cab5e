import { ApiPropertyOptional } from '@nestjs/swagger';

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
