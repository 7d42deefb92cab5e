import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** What one buyer cluster's settlements say about one agent, before the buyer is weighed (score.ts, WorkForBuyer). */
@Entity('buyer_evidence')
@Index('buyer_evidence_buyer_worker_idx', ['buyerClusterId', 'workerClusterId'])
export class BuyerEvidenceEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @PrimaryColumn({ name: 'buyer_cluster_id', type: 'text' })
  buyerClusterId!: string;

  /** Cluster of the agent's owner, so that what went back can be found. */
  @Column({ name: 'worker_cluster_id', type: 'text' })
  workerClusterId!: string;

  /** In units of evidence-units.ts; so are the three after it. */
  @Column({ name: 'career_good', ...baseUnits })
  careerGood!: bigint;

  @Column({ name: 'career_bad', ...baseUnits })
  careerBad!: bigint;

  @Column({ name: 'recent_good', ...baseUnits })
  recentGood!: bigint;

  @Column({ name: 'recent_bad', ...baseUnits })
  recentBad!: bigint;

  @Column({ name: 'gross_value', ...baseUnits })
  grossValue!: bigint;

  /**
   * What the owner's cluster paid to the buyer's, base units: netted against what the buyer paid to the agent. A payment that
   * concerns very many rows at once is taken in by the next run.
   */
  @Column({ name: 'returned', ...baseUnits, default: 0 })
  returned!: bigint;

  @Column({ type: 'integer' })
  settlements!: number;

  /** True when the pair has settlements that are no evidence, between wallets of one owner: it is counted as a whole. */
  @Column({ name: 'left_out', type: 'boolean', default: false })
  leftOut!: boolean;

  /** Number of settlements by outcome. */
  @Column({ type: 'jsonb' })
  outcomes!: Record<string, number>;
}
