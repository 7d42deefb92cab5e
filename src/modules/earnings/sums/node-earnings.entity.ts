import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import { nodePath } from '../../../platform/database/columns/node-path.column.js';

/**
 * The earnings of a node's worker (worked-nodes.sql.ts) in base units, written by the database with every change of the
 * nodes. A row is valid until `nextAt`; a later reader computes it anew, and the sweeper stores it.
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

  @Column(nodePath)
  path!: bigint;

  /** Account of the worker. */
  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column(baseUnits)
  pending!: bigint;

  @Column(baseUnits)
  claimable!: bigint;

  /** Base units that the worker has withdrawn. */
  @Column(baseUnits)
  paid!: bigint;

  /** The node's own time limit, while its money is pending and the node is not settled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  clock!: Date | null;

  /**
   * The next time limit that can change this row: of the node, of a node above that its money comes from, or of a node
   * below that may return money.
   */
  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;
}
