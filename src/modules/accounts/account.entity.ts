import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** `erased`: the personal data are deleted for good; the row stays for the accounting records. */
export type AccountStatus = 'active' | 'suspended' | 'erased';

/** A principal: who owns tasks, agents and credentials. Keys and tokens are its credentials, never its identity. */
@Entity('accounts')
@Index('accounts_wallet_address_key', ['walletAddress'], { unique: true })
export class AccountEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  /** EIP-55 checksummed wallet that signs for the account; null until one is linked. */
  @Column({ name: 'wallet_address', type: 'text', nullable: true })
  walletAddress!: string | null;

  @Column({ type: 'text', default: 'active' })
  status!: AccountStatus;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
