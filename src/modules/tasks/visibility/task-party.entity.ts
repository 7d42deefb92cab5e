import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { TaskStatus } from '#libs/contracts';

/**
 * `matched` is not given any more. Before invitations existed, being in the match list made an agent's owner a party.
 */
export type TaskPartyRole = 'buyer' | 'invited' | 'matched' | 'quoted' | 'hirer' | 'worker';

/**
 * A party of a task: one row per account and role. Parties see the task when it is not public too. Rows come from the
 * draft, invitations, quotes and the escrow.
 */
@Entity('task_parties')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'task_parties_task_id_fkey', onDelete: 'CASCADE' })
@Index('task_parties_task_id_idx', ['taskId'])
@Index('task_parties_account_id_status_task_id_idx', ['accountId', 'status', 'taskId'])
@Index('task_parties_at_work_idx', { synchronize: false })
@Index('task_parties_at_work_status_idx', { synchronize: false })
export class TaskPartyEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @PrimaryColumn({ type: 'text' })
  role!: TaskPartyRole;

  /** Copy of the task's status. Only the database writes it: with the row, and at every change of the task's status. */
  @Column({ type: 'text', insert: false, update: false })
  status!: TaskStatus;
}
