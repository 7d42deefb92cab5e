import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A task for which an agent was paid. Other tasks are compared with its brief. */
@Entity('match_briefs')
@Index('match_briefs_number_key', ['number'], { unique: true })
@Index('match_briefs_version_idx', ['version'])
@Index('match_briefs_equal_idx', ['wordsDigest', 'number'], { where: 'counts IS NOT FALSE' })
@Index('match_briefs_searched_idx', ['wordsDigest'], { where: 'is_searched' })
@Index('match_briefs_unjudged_idx', ['number'], { where: 'counts IS NULL' })
export class MatchBriefEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ type: 'integer', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  number!: number;

  /** `MatchStatisticsEntity.briefVersion` with which the weights were computed; -1: the brief has no weights yet. */
  @Column({ type: 'integer', default: -1 })
  version!: number;

  /** Digest of the words and of how often each occurs; null: the brief has no words, or was not weighed yet. */
  @Column({ name: 'words_digest', type: 'bytea', nullable: true })
  wordsDigest!: Buffer | null;

  /** Whether the brief shows of any agent that it can do the work; null: nobody has looked yet. */
  @Column({ type: 'boolean', nullable: true })
  counts!: boolean | null;

  /** True for the one of equal briefs that a search in SQL reads, so that copies take no room from others. */
  @Column({ name: 'is_searched', type: 'boolean', default: true })
  isSearched!: boolean;
}
