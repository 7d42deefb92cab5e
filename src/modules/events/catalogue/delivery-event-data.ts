import { ApiProperty } from '@nestjs/swagger';
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

/**
 * Told to the payer, the buyer of the tree and the worker.
 *
 * - `delivery.rejected`: by the hirer, or because the money of the node went back.
 * - `delivery.released`: the node was released with it, also after a rejection.
 */
export interface DeliveryEvents {
  'delivery.submitted': DeliveryEventData;
  'delivery.rejected': DeliveryEventData;
  'delivery.released': DeliveryEventData;
}
