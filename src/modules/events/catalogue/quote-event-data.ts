import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';
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

/** A quote has events from its worker's signature on; before, nobody but its worker knows of it. */
export interface QuoteEvents {
  'quote.submitted': QuoteEventData;
  'quote.updated': QuoteEventData;
  'quote.accepted': QuoteEventData;
  'quote.declined': QuoteEventData;
  'quote.withdrawn': QuoteEventData;
  'quote.expired': QuoteEventData;
}

const OFFER = {
  agent_id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  price: { amount: '250.00', currency: 'USDC' },
  valid_until: '2026-11-23T12:55:00.000Z',
};

export const QUOTE_EVENTS: EventGroup<QuoteEvents> = {
  data: QuoteEventData,
  subject: { kind: 'quote', id: 'quote_01k9q2m4t8v6w0y2z4a6c8e0g2', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'quote.submitted': {
      says: 'The worker has signed the offer.',
      example: { status: { from: 'pending_signature', to: 'submitted' }, ...OFFER },
    },
    'quote.updated': {
      says: 'The offer stands again: what had ended it is no longer on the chain or was given back.',
      example: { status: { from: 'declined', to: 'submitted' }, ...OFFER },
    },
    'quote.accepted': {
      says: 'The offer was taken up and paid for.',
      example: { status: { from: 'submitted', to: 'accepted' }, ...OFFER },
    },
    'quote.declined': {
      says: 'Another offer for the same node was taken up.',
      example: { status: { from: 'submitted', to: 'declined' }, ...OFFER },
    },
    'quote.withdrawn': {
      says: 'The worker has cancelled its signature, or used its nonce for something else.',
      example: { status: { from: 'submitted', to: 'withdrawn' }, ...OFFER },
    },
    'quote.expired': {
      says: 'Nobody has taken up the offer in time, and no block that is still unread can say otherwise.',
      example: { status: { from: 'submitted', to: 'expired' }, ...OFFER },
    },
  },
};
