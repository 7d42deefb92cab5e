import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/base-units.column.js';
import type { TaskStatus } from '#libs/contracts';

export type SelectionMode = 'manual' | 'auto';
export type TaskTier = 'public' | 'private_curated' | 'confidential_hosted';

/**
 * A task. Its id is time-sortable and carries `createdAt`, so the id alone is the order of lists.
 * `status` and `selectedAgentId` after `draft` are projections of chain facts and are never set by preparing an action.
 */
@Entity('tasks')
@ForeignKey('accounts', ['buyerAccountId'], ['id'], { name: 'tasks_buyer_account_id_fkey' })
@Index('tasks_listed_id_idx', { synchronize: false })
@Index('tasks_listed_status_id_idx', { synchronize: false })
@Index('tasks_buyer_account_id_id_idx', ['buyerAccountId', 'id'])
@Index('tasks_escrow_address_key', ['escrowAddress'], { unique: true })
export class TaskEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'buyer_account_id', type: 'text' })
  buyerAccountId!: string;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text' })
  brief!: string;

  @Column({ type: 'text', array: true })
  criteria!: string[];

  @Column(baseUnits)
  budget!: bigint;

  @Column({ name: 'selection_mode', type: 'text' })
  selectionMode!: SelectionMode;

  @Column({ type: 'text' })
  tier!: TaskTier;

  @Column({ type: 'text' })
  status!: TaskStatus;

  @Column({ name: 'accept_window_seconds', type: 'integer' })
  acceptWindowSeconds!: number;

  @Column({ name: 'delivery_window_seconds', type: 'integer' })
  deliveryWindowSeconds!: number;

  @Column({ name: 'selected_agent_id', type: 'text', nullable: true })
  selectedAgentId!: string | null;

  /** SHA-256 of the JCS bytes of the frozen terms, 0x-hex. */
  @Column({ name: 'terms_hash', type: 'text' })
  termsHash!: string;

  /** The buyer's wallet the escrow address commits to (EIP-55). */
  @Column({ name: 'buyer_wallet', type: 'text' })
  buyerWallet!: string;

  /** The arbiter's wallet the escrow address commits to; the zero address for none. */
  @Column({ name: 'arbiter_wallet', type: 'text' })
  arbiterWallet!: string;

  /** EIP-55 address of the tree's escrow, known before it is deployed. */
  @Column({ name: 'escrow_address', type: 'text' })
  escrowAddress!: string;

  /** Last node number given out in this tree; the first root is 1. */
  @Column({ name: 'node_sequence', type: 'integer', default: 0 })
  nodeSequence!: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** The rendered wire document (task.dto.ts), written with every change of the row so that a list is a copy. */
  @Column({ type: 'text', select: false })
  document!: string;
}
