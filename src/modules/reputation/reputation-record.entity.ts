import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/columns/base-units.column.js';

/**
 * The reputation of an agent from its settlements: written in the transaction of the block that changes them, and
 * refreshed by every trust run.
 */
@Entity('reputation_records')
@Index('reputation_records_score_agent_id_idx', { synchronize: false })
export class ReputationRecordEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** In [0, 1], four decimals; an exact numeric, so that pages by score are stable. */
  @Column({ type: 'numeric', precision: 5, scale: 4 })
  score!: string;

  /** The part of the score with the half-life of 365 days. */
  @Column({ name: 'career_score', type: 'numeric', precision: 5, scale: 4, default: 0 })
  careerScore!: string;

  /** The part of the score with the half-life of 60 days. */
  @Column({ name: 'recent_score', type: 'numeric', precision: 5, scale: 4, default: 0 })
  recentScore!: string;

  @Column({ name: 'independence_confidence', type: 'numeric', precision: 5, scale: 4 })
  independenceConfidence!: string;

  @Column({ name: 'settled_value', ...baseUnits })
  settledValue!: bigint;

  /** Net value weighed by each buyer's independence, base units. */
  @Column({ name: 'independent_value', ...baseUnits, default: 0 })
  independentValue!: bigint;

  /** Settlements that count. Those paid by the owner's own cluster are left out, here and below. */
  @Column({ type: 'integer', default: 0 })
  settlements!: number;

  /** Buyer clusters. */
  @Column({ type: 'integer', default: 0 })
  buyers!: number;

  /** Buyer clusters with an independence of at least 0.5. */
  @Column({ name: 'independent_buyers', type: 'integer', default: 0 })
  independentBuyers!: number;

  /** Buyer clusters that were in no trust run yet. */
  @Column({ name: 'pending_buyers', type: 'integer', default: 0 })
  pendingBuyers!: number;

  /** When the newest work ended. */
  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** `settlements` by outcome, so that who reads it need not read what each buyer has settled. */
  @Column({ type: 'jsonb', default: {} })
  outcomes!: Record<string, number>;

  /** The record as the list shows it, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
