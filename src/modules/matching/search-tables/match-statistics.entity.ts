import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What all agents together are like, frozen so that a match does not depend on the moment; one row. */
@Entity('match_statistics')
export class MatchStatisticsEntity {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** Agents that are matched. */
  @Column({ type: 'integer', default: 0 })
  agents!: number;

  /** Words of a name, on average: what the impacts were made with. */
  @Column({ name: 'name_length', type: 'double precision', default: 0 })
  nameLength!: number;

  /** Words of capabilities and description together, on average. */
  @Column({ name: 'rest_length', type: 'double precision', default: 0 })
  restLength!: number;

  /** Agents up to this number have impacts of these averages; null: all of them. */
  @Column({ name: 'rewritten_to', type: 'integer', nullable: true })
  rewrittenTo!: number | null;

  /** Settled briefs that others are compared with. */
  @Column({ type: 'integer', default: 0 })
  briefs!: number;

  /** `agents` and `briefs` together when the briefs of this version were weighed. */
  @Column({ name: 'brief_texts', type: 'integer', default: 0 })
  briefTexts!: number;

  @Column({ name: 'brief_version', type: 'integer', default: 0 })
  briefVersion!: number;

  /** When every word was counted last; null: never. */
  @Column({ name: 'counted_at', type: 'timestamptz', precision: 3, nullable: true })
  countedAt!: Date | null;
}
