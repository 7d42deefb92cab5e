import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A ranking frozen for one caller, so that its pages neither repeat nor miss an agent. In columns, the best first, because
 * a thousand rows are written and a page of them is read; the agents' own fields and records are read live.
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

  /** 1 for the best of the whole ranking, also where only some of its rows are kept. */
  @Column({ type: 'integer', array: true })
  ranks!: number[];

  /** Ten-thousandths. */
  @Column({ type: 'integer', array: true })
  scores!: number[];

  /** Of the texts, integers. */
  @Column({ type: 'integer', array: true })
  relevances!: number[];

  /** Of the most similar settled brief, 0 to 1. */
  @Column({ type: 'real', array: true })
  similarities!: number[];

  @Column({ type: 'boolean', array: true })
  discoveries!: boolean[];

  /** A tsquery of any of the words that the task was matched by; of no word in rows of before they were kept. */
  @Column({ type: 'tsquery', default: '' })
  words!: string;

  /** Whether the records that counted were made with verified buyers. */
  @Column({ type: 'boolean', default: false })
  anchored!: boolean;

  /** SHA-256 of what the columns above hold: equal rankings are kept once. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
