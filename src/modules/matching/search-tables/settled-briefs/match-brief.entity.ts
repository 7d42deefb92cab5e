import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A task for which an agent was paid. Other tasks are compared with its brief. */
@Entity('match_briefs')
@Index('match_briefs_number_key', ['number'], { unique: true })
@Index('match_briefs_version_idx', ['version'])
export class MatchBriefEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ type: 'integer', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  number!: number;

  /** `MatchStatisticsEntity.briefVersion` with which the weights were computed; -1: the brief has no weights yet. */
  @Column({ type: 'integer', default: -1 })
  version!: number;
}
