import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** What one prepared payment takes of a spend policy, until it can no longer happen or is final. */
@Entity('spend_reservations')
@ForeignKey('prepared_actions', ['actionId'], ['id'], {
  name: 'spend_reservations_action_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('spend_policies', ['policyId'], ['id'], { name: 'spend_reservations_policy_id_fkey', onDelete: 'CASCADE' })
@Index('spend_reservations_policy_id_payment_idx', { synchronize: false })
export class SpendReservationEntity {
  @PrimaryColumn({ name: 'action_id', type: 'text' })
  actionId!: string;

  @Column({ name: 'policy_id', type: 'text' })
  policyId!: string;

  /** Of all actions with the same one, the chain executes at most one. */
  @Column({ type: 'text' })
  payment!: string;

  @Column(baseUnits)
  amount!: bigint;

  /** Day in UTC on which it was prepared. */
  @Column({ type: 'date' })
  day!: string;
}
