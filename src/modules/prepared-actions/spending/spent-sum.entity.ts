import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** What was finally paid under a spend policy, so that no payment of long ago is ever looked at again. */
@Entity('spent_sums')
@ForeignKey('spend_policies', ['policyId'], ['id'], { name: 'spent_sums_policy_id_fkey', onDelete: 'CASCADE' })
export class SpentSumEntity {
  @PrimaryColumn({ name: 'policy_id', type: 'text' })
  policyId!: string;

  @Column({ ...baseUnits, name: 'in_total' })
  inTotal!: bigint;

  /** Newest day in UTC on which any of it was prepared, and how much on that day. */
  @Column({ type: 'date' })
  day!: string;

  @Column({ ...baseUnits, name: 'on_day' })
  onDay!: bigint;
}
