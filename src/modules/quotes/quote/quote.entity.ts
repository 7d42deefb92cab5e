import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import { nodePath } from '../../../platform/database/columns/node-path.column.js';

export type QuoteStatus =
  | 'draft'
  | 'pending_signature'
  | 'submitted'
  | 'accepted'
  | 'declined'
  | 'withdrawn'
  | 'expired';

/** A worker's offer for one node of a task: the signed NodeTerms and the members of its SubmitQuote action. */
@Entity('quotes')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'quotes_task_id_fkey', onDelete: 'CASCADE' })
@ForeignKey('agents', ['agentId'], ['id'], { name: 'quotes_agent_id_fkey' })
@Index('quotes_task_id_node_path_key', ['taskId', 'nodePath'], { unique: true })
@Index('quotes_worker_account_id_id_idx', ['workerAccountId', 'id'])
@Index('quotes_payer_account_id_id_idx', ['payerAccountId', 'id'])
@Index('quotes_open_valid_until_idx', { synchronize: false })
@Index('quotes_untold_valid_until_idx', { synchronize: false })
export class QuoteEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** Owner of the quoting agent. */
  @Column({ name: 'worker_account_id', type: 'text' })
  workerAccountId!: string;

  /** Account that would pay: the buyer for a root node, the owner of the parent node's worker for a child. */
  @Column({ name: 'payer_account_id', type: 'text' })
  payerAccountId!: string;

  /** The hirer's agent for a child node; null for a root node (the buyer hires). */
  @Column({ name: 'hirer_agent_id', type: 'text', nullable: true })
  hirerAgentId!: string | null;

  /** Path of the quoted node in its tree; its index was assigned by the task and is never reused. */
  @Column({ name: 'node_path', ...nodePath })
  nodePath!: bigint;

  @Column(baseUnits)
  price!: bigint;

  /** The part of the price that the worker may promise to helpers, and gets if the arbiter stays silent. */
  @Column(baseUnits)
  floor!: bigint;

  /** Time for the work, from the payment on. */
  @Column({ name: 'work_seconds', type: 'integer' })
  workSeconds!: number;

  /** Deliveries after a rejection. */
  @Column({ name: 'max_revisions', type: 'integer' })
  maxRevisions!: number;

  @Column({ name: 'accept_window_seconds', type: 'integer' })
  acceptWindowSeconds!: number;

  @Column({ name: 'hirer_funded', type: 'boolean' })
  hirerFunded!: boolean;

  @Column({ name: 'terms_hash', type: 'text' })
  termsHash!: string;

  /** The wallet that signs as worker (EIP-55). */
  @Column({ name: 'worker_wallet', type: 'text' })
  workerWallet!: string;

  @Column({ type: 'text' })
  status!: QuoteStatus;

  /** End of the offer's validity (the signature's validUntil). */
  @Column({ name: 'valid_until', type: 'timestamptz', precision: 3 })
  validUntil!: Date;

  /** Until when its worker may sign it; null when no action asks for the signature. */
  @Column({ name: 'sign_until', type: 'timestamptz', precision: 3, nullable: true })
  signUntil!: Date | null;

  @Column({ name: 'action_id', type: 'text' })
  actionId!: string;

  @Column({ name: 'request_digest', type: 'text' })
  requestDigest!: string;

  @Column(baseUnits)
  nonce!: bigint;

  /** The worker's signature, 0x-hex; never on the wire before the node is funded. */
  @Column({ type: 'text', nullable: true })
  signature!: string | null;

  /** True once the event of its expiry is recorded. Only quote-expiry.sql.ts writes it. */
  @Column({ name: 'expiry_told', type: 'boolean', default: false, select: false, insert: false, update: false })
  expiryTold!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** The quote as the list shows it, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
