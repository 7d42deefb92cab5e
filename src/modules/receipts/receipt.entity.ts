import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/columns/base-units.column.js';

export type ReceiptOutcome = 'released' | 'refunded';

/** The settlement of a node, as recorded on chain. */
@Entity('receipts')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'receipts_task_id_fkey' })
@Index('receipts_task_id_created_at_id_idx', ['taskId', 'createdAt', 'id'])
@Index('receipts_payer_account_id_created_at_id_idx', ['payerAccountId', 'createdAt', 'id'])
@Index('receipts_buyer_account_id_created_at_id_idx', ['buyerAccountId', 'createdAt', 'id'])
@Index('receipts_worker_account_id_created_at_id_idx', ['workerAccountId', 'createdAt', 'id'])
export class ReceiptEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'node_id', type: 'text' })
  nodeId!: string;

  @Column({ type: 'text' })
  outcome!: ReceiptOutcome;

  /** Base units paid to the worker (`released`) or returned to the hirer (`refunded`). */
  @Column(baseUnits)
  amount!: bigint;

  @Column({ name: 'transaction_hash', type: 'text' })
  transactionHash!: string;

  @Column({ name: 'block_number', type: 'integer' })
  blockNumber!: number;

  @Column({ name: 'payer_account_id', type: 'text', nullable: true })
  payerAccountId!: string | null;

  @Column({ name: 'buyer_account_id', type: 'text' })
  buyerAccountId!: string;

  @Column({ name: 'worker_account_id', type: 'text', nullable: true })
  workerAccountId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** The receipt as the list shows it, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
