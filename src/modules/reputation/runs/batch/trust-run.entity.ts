import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export type TrustRunStatus = 'running' | 'finished' | 'failed';

/** The phases of a run, in this order. */
export type TrustPhase = 'payouts' | 'counting' | 'reading' | 'walking' | 'refreshing' | 'writing';

/** One trust run, which groups accounts to principals and computes the independence of buyers. */
@Entity('trust_runs')
@Index('trust_runs_finished_id_idx', ['id'], { where: "status = 'finished'" })
export class TrustRunEntity {
  /** Ascending in time. */
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** Time as of which records are refreshed. */
  @Column({ name: 'as_of', type: 'timestamptz', precision: 3 })
  asOf!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'text' })
  status!: TrustRunStatus;

  /** The present or last phase. */
  @Column({ type: 'text' })
  phase!: TrustPhase;

  /** Clusters with money in the market. */
  @Column({ type: 'integer', nullable: true })
  principals!: number | null;

  /** Pairs of clusters with net money between them. */
  @Column({ type: 'integer', nullable: true })
  edges!: number | null;

  /** Settlements behind the evidence. */
  @Column({ type: 'integer', nullable: true })
  settlements!: number | null;

  /** Number of verified buyers. With 0, nothing protects the market, and confidence is capped. */
  @Column({ type: 'integer', nullable: true })
  anchors!: number | null;

  /** Number of accounts that share a cluster with another. */
  @Column({ type: 'integer', nullable: true })
  clusters!: number | null;

  @Column({ type: 'text', nullable: true })
  error!: string | null;
}
