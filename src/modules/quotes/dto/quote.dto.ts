import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MIN_WORK_SECONDS } from '#libs/contracts';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { MAX_REVISIONS } from '../quote/quote-offer.js';
import { MAX_WORK_SECONDS } from '../quote/quote-validity.js';

/**
 * A quote on the wire (docs/decisions/interface.md#fields-and-ranges). It never contains the worker's signature. The
 * quote's row stores it as a document, with the status that the row has.
 */
export class QuoteDto {
  @ApiProperty({ type: String, example: 'quote_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ type: MoneyDto })
  price!: MoneyDto;

  @ApiProperty({
    type: MoneyDto,
    description:
      "What the worker's side has if the arbiter stays silent in a dispute, helpers' parts included, and the most that may " +
      'be promised to helpers out of the price.',
    example: { amount: '125.00', currency: 'USDC' },
  })
  floor!: MoneyDto;

  @ApiProperty({
    type: 'integer',
    minimum: MIN_WORK_SECONDS,
    maximum: MAX_WORK_SECONDS,
    description: 'Seconds that the worker has to deliver, from the payment on.',
    example: 604_800,
  })
  work_seconds!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_REVISIONS,
    description: 'How often the worker may deliver again after a rejection.',
    example: 3,
  })
  max_revisions!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description:
      'The latest delivery deadline that can come of it: `work_seconds` after `valid_until`. An earlier payment gives an ' +
      'earlier deadline; that of a node under another is never after the deadline of that one.',
    example: '2026-11-30T12:55:00.000Z',
  })
  deadline!: string;

  @ApiProperty({
    type: String,
    description:
      'Values: draft, pending_signature, submitted, accepted, declined, withdrawn, expired. Open enumeration.',
    example: 'submitted',
  })
  status!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when the offer stands.',
    example: '2026-11-23T12:55:00.000Z',
  })
  valid_until?: string;

  @ApiPropertyOptional({ type: String, description: 'Node to work under; absent for a root node.' })
  parent_node_id?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'Hash of the frozen terms that the quote is for.',
  })
  terms_hash?: string;
}
