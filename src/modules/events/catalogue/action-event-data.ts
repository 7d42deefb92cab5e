import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
 * Told to the account that the action acts for. Each is named by the status that begins, which `getAction` explains:
 *
 * - `action.prepared`, `action.opened`, `action.declined`, `action.signed`: until something is sent.
 * - `action.submitted`: the chain knows its transaction. `action.failed`: that transaction did not execute it.
 * - `action.confirmed`, `action.finalized`: a block has executed it, and an hour of blocks has followed.
 * - `action.expired`, `action.superseded`: it can no longer be executed.
 *
 * A status may come again, for instance when a block is replaced. `unknown` has no event, because nothing has happened.
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
