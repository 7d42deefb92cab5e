import { ApiProperty } from '@nestjs/swagger';
import type { EventGroup } from './event-group.js';

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
