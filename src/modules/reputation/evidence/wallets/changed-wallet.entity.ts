import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A wallet that was assigned to an account by a signature or the operator, or is no more, since the last trust run began,
 * where that may make payments count otherwise. Database triggers write it.
 */
@Entity('changed_wallets')
export class ChangedWalletEntity {
  /** EIP-55. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;
}
