import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A wallet that proved by a signature that it is the account's. */
@Entity('account_wallets')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'account_wallets_account_id_fkey' })
@Index('account_wallets_account_id_idx', ['accountId'])
@Index('account_wallets_unlink_at_idx', ['unlinkAt'], { where: 'unlink_at IS NOT NULL' })
export class AccountWalletEntity {
  /** EIP-55. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  /**
   * Chain id of a contract wallet, whose address may be another's on another chain; 0 for a wallet with a key. Decimal
   * text.
   */
  @PrimaryColumn({ name: 'chain_id', type: 'bigint' })
  chainId!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'linked_at', type: 'timestamptz', precision: 3 })
  linkedAt!: Date;

  /** When the wallet is removed from the account; null = no removal was requested. */
  @Column({ name: 'unlink_at', type: 'timestamptz', precision: 3, nullable: true })
  unlinkAt!: Date | null;
}
