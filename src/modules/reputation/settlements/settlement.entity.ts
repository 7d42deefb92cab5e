import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** One ended node as evidence about its worker: reputation's own copy, updated whenever its tree changes. */
@Entity('settlements')
@Index('settlements_agent_id_settled_at_idx', ['agentId', 'settledAt'])
@Index('settlements_task_id_idx', ['taskId'])
@Index('settlements_agent_id_payer_idx', { synchronize: false })
@Index('settlements_payer_idx', { synchronize: false })
@Index('settlements_payer_wallet_idx', ['payerWallet'], { where: 'payer_account_id IS NULL' })
export class SettlementEntity {
  @PrimaryColumn({ name: 'node_id', type: 'text' })
  nodeId!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ name: 'worker_account_id', type: 'text', nullable: true })
  workerAccountId!: string | null;

  @Column({ name: 'payer_account_id', type: 'text', nullable: true })
  payerAccountId!: string | null;

  /** EIP-55; the wallet that hired. */
  @Column({ name: 'payer_wallet', type: 'text' })
  payerWallet!: string;

  /** EIP-55; the wallet that worked. */
  @Column({ name: 'worker_wallet', type: 'text' })
  workerWallet!: string;

  /** Amount of the node, base units. */
  @Column(baseUnits)
  amount!: bigint;

  /** Base units paid to the worker. */
  @Column(baseUnits)
  released!: bigint;

  @Column({ type: 'text' })
  outcome!: string;

  @Column({ name: 'settled_at', type: 'timestamptz', precision: 3 })
  settledAt!: Date;

  /** Number of the agent; written and read only by SQL. */
  @Column({ name: 'agent_number', type: 'integer', nullable: true, select: false, insert: false, update: false })
  agentNumber?: number | null;
}
