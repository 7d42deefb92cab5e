import { ApiProperty } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';

/**
 * The settlement of a node, as the chain recorded it (docs/decisions/interface.md#fields-and-ranges, Receipt). The
 * receipt's row stores it as a document.
 */
export class ReceiptDto {
  @ApiProperty({ type: String, example: 'rcpt_01k9q2m4t8v6w0y2z4a6c8e0g2_1' })
  id!: string;

  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({ type: String, example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1' })
  node_id!: string;

  @ApiProperty({ type: String, description: 'Values: released, refunded. Open enumeration.', example: 'released' })
  outcome!: string;

  @ApiProperty({
    type: MoneyDto,
    description: 'What went to the worker, the part of its subcontracts included, or back to the hirer.',
  })
  amount!: MoneyDto;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  })
  transaction_hash!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 21_345_678 })
  block_number!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time of the block.',
    example: '2026-11-20T12:55:00.000Z',
  })
  created_at!: string;
}
