import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';

/** What the events of earnings, refunds and receipts say. */
export class MoneyEventData {
  @ApiProperty({ type: MoneyDto })
  amount!: MoneyDto;

  @ApiProperty({ type: String, example: `0x${'5e'.repeat(32)}` })
  transaction_hash!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The node that the money comes from; absent for a withdrawn refund.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  node_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Of a receipt: released or refunded.', example: 'released' })
  outcome?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'Address that was paid, of a withdrawal.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  recipient?: string;
}

/**
 * - `earnings.available`: the chain has settled the node and all that back it; `amount` can be withdrawn. Told to the
 *   worker. Money that silence has earned is told once a transaction writes that down.
 * - `earnings.withdrawn`: told to the worker.
 * - `refund.available`, `refund.withdrawn`: money that went back to its hirer. Told to the hirer.
 * - `receipt.issued`: told to the payer, the buyer of the tree and the worker.
 */
export interface MoneyEvents {
  'earnings.available': MoneyEventData;
  'earnings.withdrawn': MoneyEventData;
  'refund.available': MoneyEventData;
  'refund.withdrawn': MoneyEventData;
  'receipt.issued': MoneyEventData;
}
