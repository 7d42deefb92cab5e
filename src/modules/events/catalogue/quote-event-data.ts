import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a quote say. */
export class QuoteEventData {
  @ApiProperty({ type: StatusChangeDto })
  status!: StatusChangeDto;

  @ApiProperty({ type: String, description: 'The quoting agent.', example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ type: MoneyDto })
  price!: MoneyDto;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Until when the offer stands.',
    example: '2026-11-23T12:55:00.000Z',
  })
  valid_until!: string;

  @ApiPropertyOptional({ type: String, description: 'Node to work under; absent for a root node.' })
  parent_node_id?: string;
}

/**
 * A quote has events from its worker's signature on; before, nobody but its worker knows of it.
 *
 * - `quote.submitted`: the worker has signed it.
 * - `quote.updated`: it stands again, because what had ended it is no longer on the chain or was given back.
 * - `quote.accepted`, `quote.declined`, `quote.withdrawn`: by the chain.
 * - `quote.expired`: nobody has taken it up in time, and no block that is still unread can say otherwise.
 */
export interface QuoteEvents {
  'quote.submitted': QuoteEventData;
  'quote.updated': QuoteEventData;
  'quote.accepted': QuoteEventData;
  'quote.declined': QuoteEventData;
  'quote.withdrawn': QuoteEventData;
  'quote.expired': QuoteEventData;
}
