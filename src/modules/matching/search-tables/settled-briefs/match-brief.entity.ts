import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A task for which an agent was paid: what other tasks are compared with. */
@Entity('match_briefs')
@Index('match_briefs_number_key', ['number'], { unique: true })
@Index('match_briefs_version_idx', ['version'])
export class MatchBriefEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ type: 'integer', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  number!: number;

  /** `MatchStatisticsEntity.briefVersion` that its weights are of; -1: it has none yet. */
  @Column({ type: 'integer', default: -1 })
  version!: number;
}
