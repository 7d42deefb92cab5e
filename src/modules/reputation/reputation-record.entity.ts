import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/base-units.column.js';

/** What an agent's settlements say about it; recomputed in the transaction of the block that changed them. */
@Entity('reputation_records')
@Index('reputation_records_score_agent_id_idx', { synchronize: false })
export class ReputationRecordEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** In [0, 1], four decimals; kept as text-exact numeric so that pages by score are stable. */
  @Column({ type: 'numeric', precision: 5, scale: 4 })
  score!: string;

  @Column({ name: 'independence_confidence', type: 'numeric', precision: 5, scale: 4 })
  independenceConfidence!: string;

  @Column({ name: 'settled_value', ...baseUnits })
  settledValue!: bigint;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
