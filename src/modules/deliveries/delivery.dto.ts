import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A row of the list, as the text that Postgres sent. */
export interface DeliveryRow {
  id: string;
  task_id: string;
  node_id: string;
  artifact_hash: string;
  status: string;
  revision: string;
  rejection_reason: string | null;
  created_at: string;
}

/** A delivery on the wire (docs/decisions/interface.md#fields-and-ranges). */
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

  static from(row: DeliveryRow): DeliveryDto {
    const { id, task_id, artifact_hash, status, created_at, node_id } = row;
    return {
      id,
      task_id,
      artifact_hash,
      status,
      created_at,
      node_id,
      revision: Number(row.revision),
      ...(row.rejection_reason === null ? {} : { rejection_reason: row.rejection_reason }),
    };
  }
}
