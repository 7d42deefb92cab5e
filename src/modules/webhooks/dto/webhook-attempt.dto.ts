import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WebhookAttemptEntity } from '../endpoints/webhook-attempt.entity.js';

/** One delivery that was tried. What was sent is the event, as `GET /v1/events/{event_id}` shows it. */
export class WebhookAttemptDto {
  @ApiProperty({ type: String, example: 'wha_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({ type: String, example: 'evt_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  event_id!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  at!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Status of the answer; 2xx: the event was taken. Absent: there was no answer.',
    example: 200,
  })
  status?: number;

  @ApiPropertyOptional({
    type: String,
    description:
      'Why there was no answer. Values: timeout, address_refused, name_not_found, tls_failed, connection_failed. Open ' +
      'enumeration.',
    example: 'timeout',
  })
  failure?: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Milliseconds.', example: 84 })
  duration_ms!: number;

  @ApiProperty({
    type: String,
    description: 'The first 4 KiB of the answer, without control characters. Text of the receiver.',
    example: 'ok',
  })
  answer!: string;

  static from({ id, eventId, at, httpStatus, failure, durationMs, answer }: WebhookAttemptEntity): WebhookAttemptDto {
    return {
      id,
      event_id: eventId,
      at: at.toISOString(),
      ...(httpStatus === null ? {} : { status: httpStatus }),
      ...(failure === null ? {} : { failure }),
      duration_ms: durationMs,
      answer,
    };
  }
}

/** What a test or a replay has set going. */
export class WebhookTestDto {
  @ApiProperty({
    type: String,
    description: 'The event that is delivered; the attempts say how that went.',
    example: 'evt_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  event_id!: string;
}

export class WebhookReplayDto {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Everything since then is sent again. Absent: single events are.',
  })
  since?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'How many single events are sent again.',
    example: 3,
  })
  events?: number;
}
