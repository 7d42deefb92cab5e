import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { timeOf } from '../endpoints/log-time.js';
import type { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';

/** An address at which the caller is told its events. */
export class WebhookEndpointDto {
  @ApiProperty({ type: String, example: 'whe_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({ type: String, example: 'https://hooks.example/tasktree' })
  url!: string;

  @ApiPropertyOptional({ type: String, description: 'For its owner.', example: 'Ledger of the night shift' })
  description?: string;

  @ApiProperty({ type: [String], description: 'Only events of these types; none: of every type.', example: [] })
  types!: string[];

  @ApiProperty({ type: String, description: 'Values: enabled, disabled. Open enumeration.', example: 'enabled' })
  status!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'Why it gets nothing. Values: owner, gone, failing, operator. Open enumeration.',
  })
  disabled_reason?: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Events that are to be sent again.', example: 0 })
  waiting!: number;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Since when it has taken no event; absent: it took the last one. After five days it is disabled.',
  })
  failing_since?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'It was disabled, and misses events since this time. Replay it `since` then, and nothing is missing.',
  })
  missed_since?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when deliveries are signed with the secret of before too.',
  })
  previous_secret_until?: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  updated_at!: string;

  /** @param leadMs by which the service's clock, which shows times, is ahead of the one that orders the log. */
  static from(endpoint: WebhookEndpointEntity, now: Date, leadMs: number): WebhookEndpointDto {
    const { description, disabledReason, failingSince, missedFrom, previousSecretUntil } = endpoint;
    return {
      id: endpoint.id,
      url: endpoint.url,
      ...(description === null ? {} : { description }),
      types: endpoint.types ?? [],
      status: endpoint.status,
      ...(disabledReason === null ? {} : { disabled_reason: disabledReason }),
      waiting: endpoint.waiting,
      ...(failingSince === null ? {} : { failing_since: failingSince.toISOString() }),
      ...(missedFrom === null ? {} : { missed_since: timeOf(missedFrom, leadMs).toISOString() }),
      ...(previousSecretUntil && previousSecretUntil > now
        ? { previous_secret_until: previousSecretUntil.toISOString() }
        : {}),
      created_at: endpoint.createdAt.toISOString(),
      updated_at: endpoint.updatedAt.toISOString(),
    };
  }
}

/** An endpoint whose secret is new. */
export class WebhookEndpointWithSecretDto extends WebhookEndpointDto {
  @ApiProperty({
    type: String,
    description: 'Verifies deliveries (Standard Webhooks, `v1`). It is shown in this answer alone; keep it.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret!: string;
}
