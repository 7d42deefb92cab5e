import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/**
 * Evidence about one agent from one buyer cluster's settlements, before the buyer's independence is applied (score.ts,
 * WorkForBuyer).
 */
@Entity('buyer_evidence')
@Index('buyer_evidence_buyer_worker_idx', ['buyerClusterId', 'workerClusterId'])
export class BuyerEvidenceEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @PrimaryColumn({ name: 'buyer_cluster_id', type: 'text' })
  buyerClusterId!: string;

  /** Cluster of the agent's owner, by which returned payments are found. */
  @Column({ name: 'worker_cluster_id', type: 'text' })
  workerClusterId!: string;

  /** In units of evidence-units.ts, like the next three columns. */
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
   * Base units that the owner's cluster paid to the buyer's cluster; they are deducted from what the buyer paid to the
   * agent. A payment that concerns very many rows is included by the next trust run.
   */
  @Column({ name: 'returned', ...baseUnits, default: 0 })
  returned!: bigint;

  @Column({ type: 'integer' })
  settlements!: number;

  /**
   * True when the pair has settlements between wallets of one owner, which are no evidence; the pair is then always
   * recounted as a whole.
   */
  @Column({ name: 'left_out', type: 'boolean', default: false })
  leftOut!: boolean;

  /** Number of settlements by outcome. */
  @Column({ type: 'jsonb' })
  outcomes!: Record<string, number>;
}
