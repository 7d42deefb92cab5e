import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A buyer that the operator has verified; trust starts from verified buyers. */
@Entity('verified_buyers')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'verified_buyers_account_id_fkey' })
export class VerifiedBuyerEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'verified_at', type: 'timestamptz', precision: 3 })
  verifiedAt!: Date;

  /** Note of the operator, shown to nobody else. */
  @Column({ type: 'text', default: '' })
  note!: string;
}
