import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/base-units.column.js';

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

  @Column({ name: 'career_good', type: 'double precision' })
  careerGood!: number;

  @Column({ name: 'career_bad', type: 'double precision' })
  careerBad!: number;

  @Column({ name: 'recent_good', type: 'double precision' })
  recentGood!: number;

  @Column({ name: 'recent_bad', type: 'double precision' })
  recentBad!: number;

  @Column({ name: 'gross_value', ...baseUnits })
  grossValue!: bigint;

  @Column({ type: 'integer' })
  settlements!: number;

  /** Number of settlements by outcome. */
  @Column({ type: 'jsonb' })
  outcomes!: Record<string, number>;
}
