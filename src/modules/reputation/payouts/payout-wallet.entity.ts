import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A wallet that received earnings, and the block up to which its token transfers were read. */
@Entity('payout_wallets')
@Index('payout_wallets_scanned_to_idx', ['scannedTo'], { where: 'NOT is_service' })
export class PayoutWalletEntity {
  /** EIP-55. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  /** Number of the last block read. */
  @Column({ name: 'scanned_to', type: 'integer' })
  scannedTo!: number;

  /** True for a wallet that sends to very many others, such as an exchange's; its transfers link nobody. */
  @Column({ name: 'is_service', type: 'boolean', default: false })
  isService!: boolean;
}
