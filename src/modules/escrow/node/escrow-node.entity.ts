import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import { nodePath } from '../../../platform/database/columns/node-path.column.js';
import type { WireNodeState, WireOutcome } from '#libs/contracts';

/** One funded piece of work; every column but the agent ids follows from chain facts (libs/contracts/src/tree/project-tree.ts). */
@Entity('escrow_nodes')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'escrow_nodes_task_id_fkey' })
@Index('escrow_nodes_task_id_path_key', ['taskId', 'path'], { unique: true })
@Index('escrow_nodes_worker_agent_id_idx', ['workerAgentId', 'taskId', 'path'])
@Index('escrow_nodes_hirer_agent_id_idx', ['hirerAgentId', 'taskId', 'path'])
@Index('escrow_nodes_worker_noted_state_idx', { synchronize: false })
@Index('escrow_nodes_worker_clock_idx', { synchronize: false })
@Index('escrow_nodes_hirer_noted_state_idx', { synchronize: false })
@Index('escrow_nodes_hirer_clock_idx', { synchronize: false })
@Index('escrow_nodes_open_clock_idx', { synchronize: false })
@Index('escrow_nodes_next_delivery_told_idx', { synchronize: false })
@Index('escrow_nodes_next_clock_told_idx', { synchronize: false })
@Index('escrow_nodes_contested_idx', { synchronize: false })
@Index('escrow_nodes_worker_live_idx', { synchronize: false })
@Index('escrow_nodes_backed_idx', { synchronize: false })
export class EscrowNodeEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column(nodePath)
  path!: bigint;

  @Column({ name: 'parent_node_id', type: 'text', nullable: true })
  parentNodeId!: string | null;

  /** Agent that hires; for a root node, where the buyer hires, the buyer's account id. */
  @Column({ name: 'hirer_agent_id', type: 'text' })
  hirerAgentId!: string;

  @Column({ name: 'hirer_account_id', type: 'text', nullable: true })
  hirerAccountId!: string | null;

  @Column({ name: 'worker_agent_id', type: 'text' })
  workerAgentId!: string;

  @Column({ name: 'worker_account_id', type: 'text', nullable: true })
  workerAccountId!: string | null;

  @Column({ name: 'hirer_wallet', type: 'text' })
  hirerWallet!: string;

  @Column({ name: 'worker_wallet', type: 'text' })
  workerWallet!: string;

  /** Accounts that may see the node: the buyer, its hirer's and worker's owners and those of every ancestor. */
  @Column({ name: 'visible_account_ids', type: 'text', array: true })
  visibleAccountIds!: string[];

  /** The amount the node was funded with. */
  @Column(baseUnits)
  amount!: bigint;

  /** Base units left in the node's pool, including what is allocated to live children (the contract's `amount`). */
  @Column(baseUnits)
  pool!: bigint;

  /** The part of the pool promised to live children. */
  @Column(baseUnits)
  allocated!: bigint;

  /** The most that may be promised to children, and what the worker's side gets if the arbiter stays silent. */
  @Column(baseUnits)
  floor!: bigint;

  /** What the worker has taken out, or was paid when the node settled. */
  @Column(baseUnits)
  withdrawn!: bigint;

  @Column({ type: 'text' })
  state!: WireNodeState;

  @Column({ type: 'text', nullable: true })
  outcome!: WireOutcome | null;

  /** Transitions so far; signatures about the node name it in their nonces. */
  @Column({ type: 'integer' })
  version!: number;

  /** Deliveries after a rejection so far, and how many the terms allow. */
  @Column({ type: 'integer' })
  revisions!: number;

  @Column({ name: 'max_revisions', type: 'integer' })
  maxRevisions!: number;

  @Column({ name: 'hirer_funded', type: 'boolean' })
  hirerFunded!: boolean;

  /** True when the newest delivery asks to be paid to the worker's own wallet, by the call that settles the node where nothing backs it any more. */
  @Column({ name: 'pay_out', type: 'boolean' })
  payOut!: boolean;

  @Column({ name: 'delivery_deadline', type: 'timestamptz', precision: 3 })
  deliveryDeadline!: Date;

  /**
   * End of the current time limit by the contract; the state says which limit
   * (docs/decisions/escrow.md#storage-of-a-node).
   */
  @Column({ type: 'timestamptz', precision: 3 })
  clock!: Date;

  /** The clock that is known to have passed and to have changed the state (node-clocks.sql.ts); only the sweeper writes it. */
  @Column({
    name: 'lapsed_clock',
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  lapsedClock!: Date | null;

  /** The newest moment of `deliveryDeadline` that was told (told/node-deadlines.sql.ts); only its sweeper writes it. */
  @Column({
    name: 'told_delivery',
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  toldDelivery!: Date | null;

  /** The same of `clock`, where that is not the time to deliver. */
  @Column({
    name: 'told_clock',
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  toldClock!: Date | null;

  @Column({ name: 'accept_window_seconds', type: 'integer' })
  acceptWindowSeconds!: number;

  @Column({ name: 'artifact_hash', type: 'text', nullable: true })
  artifactHash!: string | null;

  @Column({ name: 'terms_hash', type: 'text' })
  termsHash!: string;

  @Column({ name: 'funded_at', type: 'timestamptz', precision: 3 })
  fundedAt!: Date;
}
