import { ApiProperty } from '@nestjs/swagger';
import type { EventGroup } from './event-group.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a delivery say. */
export class DeliveryEventData {
  @ApiProperty({
    type: StatusChangeDto,
    description: 'As the chain has it. That its artifact is in custody makes it `available` and has no event.',
  })
  status!: StatusChangeDto;

  @ApiProperty({ type: String, example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1' })
  node_id!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Which delivery of the node.', example: 1 })
  revision!: number;

  @ApiProperty({ type: String, description: 'Hash of the artifact.', example: `0x${'a7'.repeat(32)}` })
  artifact_hash!: string;
}

/** Told to the payer, the buyer of the tree and the worker. */
export interface DeliveryEvents {
  'delivery.submitted': DeliveryEventData;
  'delivery.rejected': DeliveryEventData;
  'delivery.released': DeliveryEventData;
}

const FIRST = { node_id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1', revision: 1, artifact_hash: `0x${'a7'.repeat(32)}` };

export const DELIVERY_EVENTS: EventGroup<DeliveryEvents> = {
  data: DeliveryEventData,
  subject: {
    kind: 'delivery',
    id: 'dlv_01k9q2m4t8v6w0y2z4a6c8e0g2_1_1',
    taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  },
  isOfTheChain: true,
  types: {
    'delivery.submitted': {
      says: 'The worker has delivered.',
      example: { status: { to: 'submitted' }, ...FIRST },
    },
    'delivery.rejected': {
      says: 'The hirer has rejected the delivery, or the money of the node went back.',
      example: { status: { from: 'submitted', to: 'rejected' }, ...FIRST },
    },
    'delivery.released': {
      says: 'The node was released with this delivery, also after a rejection.',
      example: { status: { from: 'submitted', to: 'released' }, ...FIRST },
    },
  },
};
