import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/**
 * What a node is worth to its worker (worked-nodes.sql.ts), written by the database with every change of the nodes. It holds
 * as long as the time is not after `nextAt`; whoever reads later makes it anew, and the sweeper writes it down.
 */
@Entity('node_earnings')
@Index('node_earnings_account_id_next_at_idx', ['accountId', 'nextAt'], { where: 'next_at IS NOT NULL' })
@Index('node_earnings_next_at_idx', ['nextAt'], { where: 'next_at IS NOT NULL' })
@Index('node_earnings_claimable_idx', { synchronize: false })
@Index('node_earnings_account_id_clock_idx', ['accountId', 'clock'], { where: 'clock IS NOT NULL' })
export class NodeEarningsEntity {
  @PrimaryColumn({ name: 'node_id', type: 'text' })
  nodeId!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ type: 'integer' })
  number!: number;

  /** The worker's. */
  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column(baseUnits)
  pending!: bigint;

  @Column(baseUnits)
  claimable!: bigint;

  /** What the worker has taken out. */
  @Column(baseUnits)
  paid!: bigint;

  /** Its own time limit, while its fate is open and it is not settled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  clock!: Date | null;

  /** The next time limit of its own, of a node above whose money it is made of, or of one below that may give some back. */
  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;
}
