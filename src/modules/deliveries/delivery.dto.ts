import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A delivery on the wire (docs/decisions/interface.md#fields-and-ranges); its row stores most of it as a document. */
export class DeliveryDto {
  @ApiProperty({ type: String, example: 'dlv_01k9q2m4t8v6w0y2z4a6c8e0g2_1_1' })
  id!: string;

  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'Hash of the delivered artifact.',
    example: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  artifact_hash!: string;

  @ApiProperty({
    type: String,
    description:
      'Values: submitted, available (its artifact is in custody here), released, rejected. Open enumeration.',
    example: 'submitted',
  })
  status!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The node it was delivered for.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  node_id?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: "1 for the node's first delivery.", example: 1 })
  revision?: number;

  @ApiPropertyOptional({
    type: String,
    description: 'What its hirer said about the rejection, once the rejection is on the chain.',
    example: 'Page 12 is missing.',
  })
  rejection_reason?: string;
}
