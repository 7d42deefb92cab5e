import type { MigrationInterface, QueryRunner } from 'typeorm';

const DUE_AT = '(CASE WHEN signature IS NULL THEN expires_at ELSE valid_until END)';

const UP: readonly string[] = [
  // Of an action that is there already nothing was told, and nothing will be.
  'ALTER TABLE prepared_actions ADD COLUMN told_status text, ADD COLUMN told_block integer',
  `CREATE INDEX prepared_actions_followed_task_id_id_idx ON prepared_actions (task_id, id)
     WHERE told_status IS NOT NULL AND told_status <> 'final'`,
  `CREATE INDEX prepared_actions_due_idx ON prepared_actions (${DUE_AT})
     WHERE told_status IN ('prepared', 'opened', 'signed', 'submitted')`,
  `CREATE INDEX prepared_actions_told_block_idx ON prepared_actions (told_block) WHERE told_status = 'confirmed'`,
  `CREATE INDEX prepared_actions_sent_id_idx ON prepared_actions (id) WHERE told_status = 'submitted'`,
  // Every row leaves within a second, so that the share of dead rows says nothing: vacuum by their number.
  `CREATE TABLE action_looks (
     id bigint GENERATED ALWAYS AS IDENTITY,
     task_id text NOT NULL,
     CONSTRAINT action_looks_pkey PRIMARY KEY (id)
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
];

const DOWN: readonly string[] = [
  'DROP TABLE action_looks',
  `DROP INDEX prepared_actions_sent_id_idx, prepared_actions_told_block_idx, prepared_actions_due_idx,
     prepared_actions_followed_task_id_id_idx`,
  'ALTER TABLE prepared_actions DROP COLUMN told_block, DROP COLUMN told_status',
];

/** What was told of prepared actions, by which a change of their status is noticed. */
export class FollowedActions1700000000096 implements MigrationInterface {
  readonly name = 'FollowedActions1700000000096';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
