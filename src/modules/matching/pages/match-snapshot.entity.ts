import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A ranking frozen for one caller, so that its pages neither repeat nor miss an agent. The matches are stored as array
 * columns, best first, because a thousand are written at once and one page is read. The agents' fields and records are
 * not stored but read when shown.
 */
@Entity('match_snapshots')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'match_snapshots_task_id_fkey', onDelete: 'CASCADE' })
@Index('match_snapshots_task_id_account_id_expires_at_idx', ['taskId', 'accountId', 'expiresAt'])
@Index('match_snapshots_expires_at_idx', ['expiresAt'])
export class MatchSnapshotEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'agent_numbers', type: 'integer', array: true })
  agentNumbers!: number[];

  /** Rank in the whole ranking, 1 for the best, even when only some of its matches are kept. */
  @Column({ type: 'integer', array: true })
  ranks!: number[];

  /** Scores in ten-thousandths. */
  @Column({ type: 'integer', array: true })
  scores!: number[];

  /** Relevance of each agent's texts, integers. */
  @Column({ type: 'integer', array: true })
  relevances!: number[];

  /** Similarity of the most similar settled brief of each agent, 0 to 1. */
  @Column({ type: 'real', array: true })
  similarities!: number[];

  @Column({ type: 'boolean', array: true })
  discoveries!: boolean[];

  /** A tsquery that matches any of the task's query words; empty in rows older than this column. */
  @Column({ type: 'tsquery', default: '' })
  words!: string;

  /** True when the records were computed with verified buyers. */
  @Column({ type: 'boolean', default: false })
  anchored!: boolean;

  /** SHA-256 of the columns above, by which an equal ranking is found and kept only once. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
