import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** Sum of USDC that a wallet with paid-out earnings has sent directly to another wallet. */
@Entity('payout_transfers')
export class PayoutTransferEntity {
  /** EIP-55. */
  @PrimaryColumn({ name: 'from_address', type: 'text' })
  fromAddress!: string;

  /** EIP-55. */
  @PrimaryColumn({ name: 'to_address', type: 'text' })
  toAddress!: string;

  @Column(baseUnits)
  amount!: bigint;
}
