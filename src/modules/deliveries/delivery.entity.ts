import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type DeliveryStatus = 'submitted' | 'available' | 'released' | 'rejected';

/** One delivery of a node, as recorded on chain; a re-delivery after a rejection is a row of its own. */
@Entity('deliveries')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'deliveries_task_id_fkey' })
@Index('deliveries_task_id_created_at_id_idx', ['taskId', 'createdAt', 'id'])
@Index('deliveries_artifact_hash_idx', ['artifactHash'])
@Index('deliveries_payer_account_id_created_at_id_idx', ['payerAccountId', 'createdAt', 'id'])
@Index('deliveries_buyer_account_id_created_at_id_idx', ['buyerAccountId', 'createdAt', 'id'])
@Index('deliveries_worker_account_id_created_at_id_idx', ['workerAccountId', 'createdAt', 'id'])
export class DeliveryEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'node_id', type: 'text' })
  nodeId!: string;

  @Column({ name: 'artifact_hash', type: 'text' })
  artifactHash!: string;

  @Column({ type: 'text' })
  status!: DeliveryStatus;

  /** 1 for a node's first delivery. */
  @Column({ type: 'integer' })
  revision!: number;

  /** Reason hash of the rejection, 0x-hex; null when there is no rejection or it gives no reason. */
  @Column({ name: 'reason_hash', type: 'text', nullable: true })
  reasonHash!: string | null;

  /** Who pays for the node; null when the paying wallet belongs to no account. */
  @Column({ name: 'payer_account_id', type: 'text', nullable: true })
  payerAccountId!: string | null;

  @Column({ name: 'buyer_account_id', type: 'text' })
  buyerAccountId!: string;

  @Column({ name: 'worker_account_id', type: 'text', nullable: true })
  workerAccountId!: string | null;

  /** Block time of the delivery. */
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** The delivery as the list shows it, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
