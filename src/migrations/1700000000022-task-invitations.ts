import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Agents that buyers have invited by name to quote. Owners who may see a private task because a list of matches showed
 * their agent keep that right.
 */
export class TaskInvitations1700000000022 implements MigrationInterface {
  readonly name = 'TaskInvitations1700000000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE task_invitations (
      task_id text NOT NULL,
      agent_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (task_id, agent_id),
      CONSTRAINT task_invitations_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE
    )`);
  }

  /**
   * Removes the parties that were invited by name, because without the invitations nothing would record why they may
   * see a private task.
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM task_parties WHERE role = 'invited'`);
    await runner.query('DROP TABLE task_invitations');
  }
}
