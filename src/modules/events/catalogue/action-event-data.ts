import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { EventGroup } from './event-group.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a prepared action say. */
export class ActionEventData {
  @ApiProperty({ type: StatusChangeDto })
  status!: StatusChangeDto;

  @ApiProperty({ type: String, description: 'What the wallet is asked for.', example: 'fund_task' })
  kind!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The node that it is about.',
    example: 'node_01k9q2m4t8v6w0y2z4a6',
  })
  node_id?: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Until when it can be signed; a signature can be used a little longer.',
    example: '2026-11-20T13:10:00.000Z',
  })
  expires_at!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'The transaction that executed it, or else the one that was handed in.',
  })
  transaction_hash?: string;
}

/**
 * Told to the account that the action acts for, each named by the status that begins. A status may come again, for instance
 * when a block is replaced. `unknown` has no event, because nothing has happened.
 */
export interface ActionEvents {
  'action.prepared': ActionEventData;
  'action.opened': ActionEventData;
  'action.declined': ActionEventData;
  'action.signed': ActionEventData;
  'action.submitted': ActionEventData;
  'action.failed': ActionEventData;
  'action.confirmed': ActionEventData;
  'action.finalized': ActionEventData;
  'action.expired': ActionEventData;
  'action.superseded': ActionEventData;
}

const PAYMENT = {
  kind: 'fund_task',
  node_id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  expires_at: '2026-11-20T13:10:00.000Z',
};
const SENT = { ...PAYMENT, transaction_hash: `0x${'5f'.repeat(32)}` };

export const ACTION_EVENTS: EventGroup<ActionEvents> = {
  data: ActionEventData,
  subject: { kind: 'action', id: 'act_01k9q2m4t8v6w0y2z4a6c8e0g2', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'action.prepared': {
      says: 'It was prepared, and waits for a wallet.',
      example: { status: { to: 'prepared' }, ...PAYMENT },
    },
    'action.opened': {
      says: 'A person has opened its page.',
      example: { status: { from: 'prepared', to: 'opened' }, ...PAYMENT },
    },
    'action.declined': {
      says: 'Somebody has declined it on its page; no signature is accepted any more.',
      example: { status: { from: 'opened', to: 'declined' }, ...PAYMENT },
    },
    'action.signed': {
      says: 'The wallet has signed it.',
      example: { status: { from: 'opened', to: 'signed' }, ...PAYMENT },
    },
    'action.submitted': {
      says: 'The chain knows its transaction, which waits for a block or for the index.',
      example: { status: { from: 'signed', to: 'submitted' }, ...SENT },
    },
    'action.failed': {
      says: 'Its transaction is in a block and did not execute it.',
      example: { status: { from: 'submitted', to: 'failed' }, ...SENT },
    },
    'action.confirmed': {
      says: 'A block has executed it.',
      example: { status: { from: 'submitted', to: 'confirmed' }, ...SENT },
    },
    'action.finalized': {
      says: 'So many blocks have followed that it stays.',
      example: { status: { from: 'confirmed', to: 'final' }, ...SENT },
    },
    'action.expired': {
      says: 'Its time is over.',
      example: { status: { from: 'prepared', to: 'expired' }, ...PAYMENT },
    },
    'action.superseded': {
      says: 'What it needs is gone, or its nonce was used for something else.',
      example: { status: { from: 'signed', to: 'superseded' }, ...PAYMENT },
    },
  },
};
