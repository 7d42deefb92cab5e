import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** The next unused nonce of a wallet's withdrawals from one escrow (an unordered bitmap on chain; a gap is free). */
@Entity('wallet_nonces')
export class WalletNonceEntity {
  @PrimaryColumn({ name: 'escrow_address', type: 'text' })
  escrowAddress!: string;

  @PrimaryColumn({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  @Column({ name: 'next_nonce', ...baseUnits })
  nextNonce!: bigint;
}
