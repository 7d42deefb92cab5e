import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** Sums of `node_earnings` of one account, in base units. Every change of the account's earnings locks this row. */
@Entity('account_earnings')
export class AccountEarningsEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ ...baseUnits, default: 0 })
  pending!: bigint;

  @Column({ ...baseUnits, default: 0 })
  claimable!: bigint;

  @Column({ ...baseUnits, default: 0 })
  paid!: bigint;

  /** The sums as `GET /v1/earnings` shows them, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
