import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { TaskStatus } from '#libs/contracts';

/** `matched` is given no more: it is what a list of matches let in before buyers invited by name. */
export type TaskPartyRole = 'buyer' | 'invited' | 'matched' | 'quoted' | 'selected' | 'hirer' | 'worker';

/** Who may see a task beside everyone: one row per account and role. The buyer's invitations, quotes and escrow admit. */
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

  /** That of the task: written by the database alone, with the row and with every change of the task's status. */
  @Column({ type: 'text', insert: false, update: false })
  status!: TaskStatus;
}
