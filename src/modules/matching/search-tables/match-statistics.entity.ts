import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Statistics of all agents and settled briefs, stored so that matches do not depend on the moment; one row. */
@Entity('match_statistics')
export class MatchStatisticsEntity {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** Number of agents that are matched. */
  @Column({ type: 'integer', default: 0 })
  agents!: number;

  /** Average words of a name, with which the impacts are computed. */
  @Column({ name: 'name_length', type: 'double precision', default: 0 })
  nameLength!: number;

  /** Average words of capabilities and description together, with which the impacts are computed. */
  @Column({ name: 'rest_length', type: 'double precision', default: 0 })
  restLength!: number;

  /** Agents up to this number have impacts computed with these averages; null: all agents. */
  @Column({ name: 'rewritten_to', type: 'integer', nullable: true })
  rewrittenTo!: number | null;

  /** Number of settled briefs that tasks are compared with. */
  @Column({ type: 'integer', default: 0 })
  briefs!: number;

  /** Sum of `agents` and `briefs` when `brief_version` began. */
  @Column({ name: 'brief_texts', type: 'integer', default: 0 })
  briefTexts!: number;

  @Column({ name: 'brief_version', type: 'integer', default: 0 })
  briefVersion!: number;

  /** The trust run by which it was found which briefs count; 0: none has finished. */
  @Column({ name: 'judged_run', type: 'integer', default: 0 })
  judgedRun!: number;

  /** Briefs up to this number are judged by that run; null: all briefs. */
  @Column({ name: 'judged_to', type: 'integer', nullable: true })
  judgedTo!: number | null;

  /** Time of the last count of all words; null: never. */
  @Column({ name: 'counted_at', type: 'timestamptz', precision: 3, nullable: true })
  countedAt!: Date | null;
}
