import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents that buyers have asked for an offer by name. Owners whom a list of matches has let in before keep their sight. */
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

  /** Who was let in by name alone would see a private task without a reason that anything still knows. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM task_parties WHERE role = 'invited'`);
    await runner.query('DROP TABLE task_invitations');
  }
}
