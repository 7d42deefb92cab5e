import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // Rows leave a while after they came, from the end where the small block numbers are.
  `CREATE TABLE chain_events (
     block_number integer NOT NULL,
     id bigint GENERATED ALWAYS AS IDENTITY,
     block_hash text NOT NULL,
     task_id text NOT NULL,
     audience text[] NOT NULL,
     event_ids text[] NOT NULL,
     CONSTRAINT chain_events_pkey PRIMARY KEY (block_number, id)
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE TABLE chain_rollbacks (
     id bigint GENERATED ALWAYS AS IDENTITY,
     block_number integer NOT NULL,
     CONSTRAINT chain_rollbacks_pkey PRIMARY KEY (id)
   )`,
  `CREATE TABLE told_trees (
     task_id text NOT NULL,
     block_number integer NOT NULL,
     rollback_id bigint NOT NULL,
     CONSTRAINT told_trees_pkey PRIMARY KEY (task_id)
   )`,
  // What the chain did before there were events of it is not told.
  'INSERT INTO told_trees (task_id, block_number, rollback_id) SELECT task_id, block_number, 0 FROM escrow_trees',
];

/** Events of the chain: how much of each tree is told, and which events a reorganisation would undo. */
export class ChainEvents1700000000094 implements MigrationInterface {
  readonly name = 'ChainEvents1700000000094';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE told_trees, chain_rollbacks, chain_events');
  }
}
