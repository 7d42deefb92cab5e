import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import { nodePath } from '../../../platform/database/columns/node-path.column.js';

/** Earnings of one node paid out to one wallet: reputation's own copy, replaced whenever the tree changes. */
@Entity('payouts')
@Index('payouts_recipient_worker_id_idx', ['recipient', 'workerId'])
export class PayoutEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @PrimaryColumn({ name: 'node_path', ...nodePath })
  nodePath!: bigint;

  /** EIP-55. */
  @PrimaryColumn({ type: 'text' })
  recipient!: string;

  /** The worker's account id, or `wallet_<address>` when the wallet has no account. */
  @Column({ name: 'worker_id', type: 'text' })
  workerId!: string;

  @Column(baseUnits)
  amount!: bigint;
}
