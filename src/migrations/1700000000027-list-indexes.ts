import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The roles that `role=worker` selects. The partial indexes on parties have the same condition. */
const AT_WORK = `role IN ('worker', 'hirer', 'selected')`;

const UP: readonly string[] = [
  'ALTER TABLE task_parties ADD COLUMN status text',
  'UPDATE task_parties SET status = tasks.status FROM tasks WHERE tasks.id = task_parties.task_id',
  'ALTER TABLE task_parties ALTER COLUMN status SET NOT NULL',
  // Locks the task, so that a party added while the task's status changes waits for that change; otherwise neither
  // transaction would see the other's row. It takes the lock that a change of the task takes, so that two transactions
  // that add a party and then change the task do not deadlock. For a task that does not exist, the foreign key raises
  // the error.
  `CREATE FUNCTION status_of_party() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     SELECT status INTO NEW.status FROM tasks WHERE id = NEW.task_id FOR NO KEY UPDATE;
     NEW.status := coalesce(NEW.status, '');
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER task_parties_status BEFORE INSERT OR UPDATE ON task_parties
     FOR EACH ROW EXECUTE FUNCTION status_of_party()`,
  `CREATE FUNCTION tell_parties_status() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE task_parties SET status = NEW.status WHERE task_id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER tasks_status_told AFTER UPDATE OF status ON tasks
     FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_parties_status()`,
  'CREATE INDEX task_parties_account_id_status_task_id_idx ON task_parties (account_id, status, task_id)',
  `CREATE INDEX task_parties_at_work_idx ON task_parties (account_id, task_id) WHERE ${AT_WORK}`,
  `CREATE INDEX task_parties_at_work_status_idx ON task_parties (account_id, status, task_id) WHERE ${AT_WORK}`,
  'CREATE INDEX tasks_buyer_account_id_status_id_idx ON tasks (buyer_account_id, status, id)',
  ...['worker', 'hirer'].map(
    (side) =>
      `CREATE INDEX escrow_nodes_${side}_agent_id_state_idx ON escrow_nodes (${side}_agent_id, state, task_id, number, clock)`,
  ),
  ...['deliveries', 'receipts'].flatMap((table) => [
    `DROP INDEX ${table}_task_id_idx`,
    `CREATE INDEX ${table}_task_id_created_at_id_idx ON ${table} (task_id, created_at, id)`,
  ]),
];

const DOWN: readonly string[] = [
  ...['deliveries', 'receipts'].flatMap((table) => [
    `DROP INDEX ${table}_task_id_created_at_id_idx`,
    `CREATE INDEX ${table}_task_id_idx ON ${table} (task_id)`,
  ]),
  'DROP INDEX escrow_nodes_hirer_agent_id_state_idx',
  'DROP INDEX escrow_nodes_worker_agent_id_state_idx',
  'DROP INDEX tasks_buyer_account_id_status_id_idx',
  'DROP TRIGGER tasks_status_told ON tasks',
  'DROP FUNCTION tell_parties_status()',
  'DROP TRIGGER task_parties_status ON task_parties',
  'DROP FUNCTION status_of_party()',
  // Dropping the column drops the indexes on it too.
  'ALTER TABLE task_parties DROP COLUMN status',
  'DROP INDEX task_parties_at_work_idx',
];

/**
 * Indexes for filtered lists. A party stores the status of its task, which only the database writes, in the transaction
 * that changes it, so that an account's tasks in one status are one range of an index. An agent's nodes by state, and a
 * task's deliveries and receipts by time, are ranges of an index too.
 */
export class ListIndexes1700000000027 implements MigrationInterface {
  readonly name = 'ListIndexes1700000000027';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
