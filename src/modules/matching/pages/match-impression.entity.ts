import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * An agent that the buyer of a task was shown on a first page. It counts once per task, however often the page is
 * opened.
 */
@Entity('match_impressions')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'match_impressions_task_id_fkey', onDelete: 'CASCADE' })
export class MatchImpressionEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;
}
