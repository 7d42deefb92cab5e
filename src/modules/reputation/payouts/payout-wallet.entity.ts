import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A wallet that earnings were paid out to, and how far the token's transfers from it have been read. */
@Entity('payout_wallets')
@Index('payout_wallets_scanned_to_idx', ['scannedTo'], { where: 'NOT is_service' })
export class PayoutWalletEntity {
  /** EIP-55. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  /** Number of the last block that was read. */
  @Column({ name: 'scanned_to', type: 'integer' })
  scannedTo!: number;

  /** True for one that sends to very many, such as an exchange: it says nothing about who they are. */
  @Column({ name: 'is_service', type: 'boolean', default: false })
  isService!: boolean;
}
