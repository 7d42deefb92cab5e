import { ApiProperty } from '@nestjs/swagger';

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
