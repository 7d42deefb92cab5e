import { ApiProperty } from '@nestjs/swagger';
import type { EventGroup } from './event-group.js';

/** Where on the chain it happened. */
export class ChainPlaceDto {
  @ApiProperty({ type: 'integer', example: 8453 })
  chain_id!: number;

  @ApiProperty({ type: String, example: `0x${'5e'.repeat(32)}` })
  tx_hash!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of the block.', example: 31_442_117 })
  block!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Place of the log in the block.', example: 7 })
  log_index!: number;

  @ApiProperty({
    type: String,
    description:
      'Values: confirmed. As many blocks as the service waits for stand on the block; should the chain replace it ' +
      'nevertheless, a `chain.reverted` names the event. Open enumeration.',
    example: 'confirmed',
  })
  finality!: string;
}

/** What an event of the chain itself says. */
export class ChainRevertedData {
  @ApiProperty({
    type: [String],
    description: 'Events of the task that have not happened, of those that the reader could read. Forget them.',
    example: ['evt_01k9q2m4t8v6w0y2z4a6c8e0g2'],
  })
  event_ids!: string[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The first block that was replaced.',
    example: 31_442_117,
  })
  from_block!: number;
}

/** Told to those that could read the events which it names; many of them, or different readers, make several. */
export interface ChainEvents {
  'chain.reverted': ChainRevertedData;
}

export const CHAIN_EVENTS: EventGroup<ChainEvents> = {
  data: ChainRevertedData,
  subject: { kind: 'task', id: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'chain.reverted': {
      says: 'The chain has replaced blocks. What the new ones hold of the task is told behind it.',
      example: { event_ids: ['evt_01k9q2m4t8v6w0y2z4a6c8e0g2'], from_block: 31_442_117 },
    },
  },
};
