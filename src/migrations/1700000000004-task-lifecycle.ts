import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `ALTER TABLE tasks
     ADD COLUMN offers_until timestamptz(3) NOT NULL DEFAULT now() + interval '14 days',
     ADD COLUMN draft_until timestamptz(3),
     ADD COLUMN opened_at timestamptz(3),
     ADD COLUMN chain_status text,
     ADD COLUMN chain_until timestamptz(3),
     ADD COLUMN chain_agent_id text,
     ADD COLUMN opened_roots integer array NOT NULL DEFAULT '{}',
     ADD COLUMN funded_roots integer array NOT NULL DEFAULT '{}',
     ADD COLUMN refundable numeric(78, 0) NOT NULL DEFAULT '0',
     ADD COLUMN selected_quote_id text,
     ADD COLUMN selection_action_id text,
     ADD COLUMN selection_agent_id text,
     ADD COLUMN selection_node_number integer,
     ADD COLUMN selection_until timestamptz(3),
     ADD COLUMN funding_node_number integer,
     ADD COLUMN funding_until timestamptz(3),
     ADD COLUMN status_due_at timestamptz(3)`,
  // Before this migration every status except "draft" came from the chain, and tasks did not expire. Tasks that still
  // look for an agent get two weeks from now.
  `UPDATE tasks SET chain_agent_id = selected_agent_id, chain_status = CASE WHEN status = 'draft' THEN NULL ELSE status END,
     status_due_at = CASE WHEN status IN ('open', 'selected') THEN offers_until + interval '1 millisecond' END,
     opened_roots = ARRAY(SELECT number FROM escrow_nodes node
       WHERE node.task_id = tasks.id AND node.parent_node_id IS NULL ORDER BY number),
     funded_roots = ARRAY(SELECT number FROM escrow_nodes node
       WHERE node.task_id = tasks.id AND node.parent_node_id IS NULL ORDER BY number)`,
  `CREATE INDEX tasks_status_due_at_idx ON tasks (status_due_at) WHERE status_due_at IS NOT NULL`,
  `DROP INDEX tasks_listed_id_idx`,
  `DROP INDEX tasks_listed_status_id_idx`,
  `CREATE INDEX tasks_listed_id_idx ON tasks (id) WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled')`,
  `CREATE INDEX tasks_listed_status_id_idx ON tasks (status, id)
     WHERE tier = 'public' AND status NOT IN ('draft', 'cancelled')`,
];

const DOWN: readonly string[] = [
  `DROP INDEX tasks_listed_status_id_idx`,
  `DROP INDEX tasks_listed_id_idx`,
  `CREATE INDEX tasks_listed_id_idx ON tasks (id) WHERE tier = 'public' AND status <> 'draft'`,
  `CREATE INDEX tasks_listed_status_id_idx ON tasks (status, id) WHERE tier = 'public' AND status <> 'draft'`,
  `DROP INDEX tasks_status_due_at_idx`,
  `ALTER TABLE tasks
     DROP COLUMN offers_until, DROP COLUMN draft_until, DROP COLUMN opened_at, DROP COLUMN chain_status,
     DROP COLUMN chain_until, DROP COLUMN chain_agent_id, DROP COLUMN opened_roots, DROP COLUMN funded_roots,
     DROP COLUMN refundable, DROP COLUMN selected_quote_id, DROP COLUMN selection_action_id, DROP COLUMN selection_agent_id,
     DROP COLUMN selection_node_number, DROP COLUMN selection_until, DROP COLUMN funding_node_number,
     DROP COLUMN funding_until, DROP COLUMN status_due_at`,
];

/**
 * Derives a task's status from what the chain says, what wallets have signed, and time
 * (src/modules/tasks/task/task.lifecycle.ts).
 */
export class TaskLifecycle1700000000004 implements MigrationInterface {
  readonly name = 'TaskLifecycle1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
