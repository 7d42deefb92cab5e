import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The element of a frozen ranking; the agent's own fields are read live. */
export interface RankedAgent {
  agent_id: string;
  /** 1 for the best of the whole ranking, also where only some of its rows are kept. */
  rank: number;
  score: number;
  reason: string;
}

/** A ranking frozen for one caller, so that its pages neither repeat nor miss an agent. */
@Entity('match_snapshots')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'match_snapshots_task_id_fkey', onDelete: 'CASCADE' })
@Index('match_snapshots_task_id_account_id_idx', ['taskId', 'accountId'])
@Index('match_snapshots_expires_at_idx', ['expiresAt'])
export class MatchSnapshotEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ type: 'jsonb' })
  ranking!: RankedAgent[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
