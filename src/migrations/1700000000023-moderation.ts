import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `ALTER TABLE agents ADD COLUMN suspended_from text, ADD COLUMN suspension_reason text`,
  // An agent suspended before this migration returns to "inactive", as the rule was when it was suspended.
  `UPDATE agents SET suspended_from = 'inactive', suspension_reason = '' WHERE status = 'suspended'`,
  'ALTER TABLE tasks ADD COLUMN hidden_at timestamptz(3)',
  'DROP INDEX tasks_listed_status_id_idx',
  'DROP INDEX tasks_listed_id_idx',
  `CREATE INDEX tasks_listed_id_idx ON tasks (id)
     WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled') AND hidden_at IS NULL`,
  `CREATE INDEX tasks_listed_status_id_idx ON tasks (status, id)
     WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled') AND hidden_at IS NULL`,
];

const DOWN: readonly string[] = [
  'DROP INDEX tasks_listed_status_id_idx',
  'DROP INDEX tasks_listed_id_idx',
  `CREATE INDEX tasks_listed_id_idx ON tasks (id) WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled')`,
  `CREATE INDEX tasks_listed_status_id_idx ON tasks (status, id)
     WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled')`,
  'ALTER TABLE tasks DROP COLUMN hidden_at',
  'ALTER TABLE agents DROP COLUMN suspension_reason, DROP COLUMN suspended_from',
  // "suspended" is the only status of the previous release that stops an account.
  `UPDATE accounts SET status = 'suspended' WHERE status = 'erased'`,
];

/** What operators do to agents and tasks: an agent's suspension with its reason, and when a task was hidden. */
export class Moderation1700000000023 implements MigrationInterface {
  readonly name = 'Moderation1700000000023';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
