import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Feedback that a settled node is evidence for. */
export class AgentFeedbackDto {
  @ApiProperty({ type: String, example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1' })
  node_id!: string;

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description:
      'The feedback file by ERC-8004: who paid, the share of the amount that was released, and the transaction.',
    example: { value: 10_000, valueDecimals: 2, tag1: 'accepted', tag2: 'escrow' },
  })
  file!: object;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'Keccak-256 of the canonical JSON (RFC 8785) of the file: `feedbackHash`.',
  })
  file_hash!: string;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1,
    description:
      'How independent of the agent its payer is taken to be, by the last run of the reputation: the weight of this ' +
      'entry. Four decimals. Absent before the first run that knew the payer.',
    example: 0.8,
  })
  independence?: number;
}
