import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export type TrustRunStatus = 'running' | 'finished' | 'failed';

/** What a run does, in this order. */
export type TrustPhase = 'payouts' | 'counting' | 'reading' | 'walking' | 'refreshing' | 'writing';

/** One run of the batch that finds out who stands behind whom and how independent buyers are. */
@Entity('trust_runs')
@Index('trust_runs_finished_id_idx', ['id'], { where: "status = 'finished'" })
export class TrustRunEntity {
  /** In order of time. */
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** The time that records are refreshed to. */
  @Column({ name: 'as_of', type: 'timestamptz', precision: 3 })
  asOf!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'text' })
  status!: TrustRunStatus;

  /** What it does, or did last. */
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

  /** Verified buyers; 0: nothing protects the network, and confidence is capped. */
  @Column({ type: 'integer', nullable: true })
  anchors!: number | null;

  /** Accounts that are one with another. */
  @Column({ type: 'integer', nullable: true })
  clusters!: number | null;

  @Column({ type: 'text', nullable: true })
  error!: string | null;
}
