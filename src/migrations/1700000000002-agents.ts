import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `ALTER TABLE agents ADD COLUMN available_until timestamptz(3)`,
  `CREATE INDEX agents_listed_id_idx ON agents (id) WHERE status NOT IN ('retired', 'suspended')`,
];

const DOWN: readonly string[] = [`DROP INDEX agents_listed_id_idx`, `ALTER TABLE agents DROP COLUMN available_until`];

/** Lets an agent's availability end at a given time, and indexes the list of agents. */
export class Agents1700000000002 implements MigrationInterface {
  readonly name = 'Agents1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
