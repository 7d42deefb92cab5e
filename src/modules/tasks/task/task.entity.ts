import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import { nodePath } from '../../../platform/database/columns/node-path.column.js';
import type { TaskStatus } from '#libs/contracts';

export type SelectionMode = 'manual' | 'auto';
export type TaskTier = 'public' | 'private_curated' | 'confidential_hosted';

/**
 * A task. Its id starts with the creation time, so lists are ordered by id alone.
 *
 * Only task.lifecycle.ts sets `status`, `selectedAgentId` and `statusDueAt`. It computes them for one moment from the
 * columns `offersUntil` to `fundingUntil`: chain facts, signed actions and times.
 */
@Entity('tasks')
@ForeignKey('accounts', ['buyerAccountId'], ['id'], { name: 'tasks_buyer_account_id_fkey' })
@Index('tasks_listed_id_idx', { synchronize: false })
@Index('tasks_listed_status_id_idx', { synchronize: false })
@Index('tasks_buyer_account_id_id_idx', ['buyerAccountId', 'id'])
@Index('tasks_buyer_account_id_status_id_idx', ['buyerAccountId', 'status', 'id'])
@Index('tasks_escrow_address_key', ['escrowAddress'], { unique: true })
@Index('tasks_unpaid_buyer_account_id_idx', ['buyerAccountId'], { where: 'chain_status IS NULL' })
@Index('tasks_unpaid_offers_until_idx', ['offersUntil'], { where: 'chain_status IS NULL' })
@Index('tasks_status_due_at_idx', ['statusDueAt'], { where: 'status_due_at IS NOT NULL' })
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

  /** The buyer's wallet; the escrow address is computed from it (EIP-55). */
  @Column({ name: 'buyer_wallet', type: 'text' })
  buyerWallet!: string;

  /** The arbiter's wallet; the escrow address is computed from it. The zero address for none. */
  @Column({ name: 'arbiter_wallet', type: 'text' })
  arbiterWallet!: string;

  /** EIP-55 address of the tree's escrow, known before it is deployed. */
  @Column({ name: 'escrow_address', type: 'text' })
  escrowAddress!: string;

  /** Last index of a node given out in this tree, whatever node it is under; the first root has 1. */
  @Column({ name: 'node_sequence', type: 'integer', default: 0 })
  nodeSequence!: number;

  /** Last moment at which the task takes offers (the request's `deadline`), in whole seconds: `CreateTask` carries it. */
  @Column({ name: 'offers_until', type: 'timestamptz', precision: 3, default: () => "(now() + '14 days')" })
  offersUntil!: Date;

  /** Last moment at which a signature of `create_task` is accepted; null when no such action was prepared. */
  @Column({ name: 'draft_until', type: 'timestamptz', precision: 3, nullable: true })
  draftUntil!: Date | null;

  /** When the buyer's signed `CreateTask` was submitted; null before. */
  @Column({ name: 'opened_at', type: 'timestamptz', precision: 3, nullable: true })
  openedAt!: Date | null;

  /** The status by chain facts alone; null while the chain has none. */
  @Column({ name: 'chain_status', type: 'text', nullable: true })
  chainStatus!: TaskStatus | null;

  /** Worker of the root node that decides that status. */
  @Column({ name: 'chain_agent_id', type: 'text', nullable: true })
  chainAgentId!: string | null;

  /** Paths of the root nodes on the chain, in the order in which they were funded. */
  @Column({ name: 'funded_roots', type: 'text', array: true, default: [] })
  fundedRoots!: string[];

  /** Amount refunded to the buyer that is still in the tree's escrow, in base units. */
  @Column({ ...baseUnits, default: 0 })
  refundable!: bigint;

  /**
   * The buyer's newest signed `SelectAgent`: this column and the next three hold the offer, the action, the agent and
   * the path of the node to fund.
   */
  @Column({ name: 'selected_quote_id', type: 'text', nullable: true })
  selectedQuoteId!: string | null;

  @Column({ name: 'selection_action_id', type: 'text', nullable: true })
  selectionActionId!: string | null;

  @Column({ name: 'selection_agent_id', type: 'text', nullable: true })
  selectionAgentId!: string | null;

  @Column({ name: 'selection_node_path', ...nodePath, nullable: true })
  selectionNodePath!: bigint | null;

  /** Last moment of that selection: the offer's `valid_until`. */
  @Column({ name: 'selection_until', type: 'timestamptz', precision: 3, nullable: true })
  selectionUntil!: Date | null;

  /** The node that the submitted payment is for; the next column is the last moment at which it can be executed. */
  @Column({ name: 'funding_node_path', ...nodePath, nullable: true })
  fundingNodePath!: bigint | null;

  @Column({ name: 'funding_until', type: 'timestamptz', precision: 3, nullable: true })
  fundingUntil!: Date | null;

  /** When time alone will next change the status; null for never. */
  @Column({ name: 'status_due_at', type: 'timestamptz', precision: 3, nullable: true })
  statusDueAt!: Date | null;

  /** When the operator hid the task from everybody but its parties; null when it is not hidden. */
  @Column({ name: 'hidden_at', type: 'timestamptz', precision: 3, nullable: true })
  hiddenAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** The task as API JSON (task.dto.ts), written with every change of the row, so that lists only copy it. */
  @Column({ type: 'text', select: false })
  document!: string;
}
