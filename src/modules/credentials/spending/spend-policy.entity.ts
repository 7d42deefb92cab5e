import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** What the wallet of an account may be asked to pay by an application, or by keys that were made together. */
@Entity('spend_policies')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'spend_policies_account_id_fkey' })
@Index('spend_policies_account_id_client_id_key', ['accountId', 'clientId'], { unique: true })
export class SpendPolicyEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The application that it limits, whichever of its grants is used; null: the keys that name it. */
  @Column({ name: 'client_id', type: 'text', nullable: true })
  clientId!: string | null;

  /** Base units; null: no limit. Likewise the next two. */
  @Column({ ...baseUnits, name: 'per_payment', nullable: true })
  perPayment!: bigint | null;

  /** Of a day in UTC. */
  @Column({ ...baseUnits, name: 'per_day', nullable: true })
  perDay!: bigint | null;

  @Column({ ...baseUnits, name: 'in_total', nullable: true })
  inTotal!: bigint | null;

  /** EIP-55 wallets that may be paid; null: any. */
  @Column({ type: 'text', array: true, nullable: true })
  counterparties!: string[] | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
