import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/**
 * Sums of `node_earnings` of one account in one task, in base units; there is no row where nothing is pending or
 * claimable.
 */
@Entity('task_earnings')
@Index('task_earnings_claimable_idx', { synchronize: false })
@Index('task_earnings_empty_idx', ['accountId'], { where: 'pending = 0 AND claimable = 0' })
export class TaskEarningsEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column(baseUnits)
  pending!: bigint;

  @Column(baseUnits)
  claimable!: bigint;

  /** The sums as `GET /v1/earnings` shows them, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
