import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/base-units.column.js';

/** One ended node as evidence about its worker: reputation's own copy, replaced with its tree. */
@Entity('settlements')
@Index('settlements_agent_id_settled_at_idx', ['agentId', 'settledAt'])
@Index('settlements_task_id_idx', ['taskId'])
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

  /** What the node was worth. */
  @Column(baseUnits)
  amount!: bigint;

  /** What went to the worker. */
  @Column(baseUnits)
  released!: bigint;

  @Column({ type: 'text' })
  outcome!: string;

  @Column({ name: 'settled_at', type: 'timestamptz', precision: 3 })
  settledAt!: Date;
}
