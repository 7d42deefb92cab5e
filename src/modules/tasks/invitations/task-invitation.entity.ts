import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * An agent that the buyer of a private task has invited to make an offer; the agent's owner becomes a party of the
 * task.
 */
@Entity('task_invitations')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'task_invitations_task_id_fkey', onDelete: 'CASCADE' })
export class TaskInvitationEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
