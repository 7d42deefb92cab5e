import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `ALTER TABLE agent_endpoints
     ADD COLUMN next_look_at timestamptz(3) NOT NULL DEFAULT now(),
     ADD COLUMN failures smallint NOT NULL DEFAULT 0,
     ADD COLUMN failed_since timestamptz(3),
     ADD COLUMN left_out_at timestamptz(3)`,
  // Those of before are not all looked at in one minute.
  "UPDATE agent_endpoints SET next_look_at = now() + random() * interval '1 day'",
  'CREATE INDEX agent_endpoints_next_look_at_idx ON agent_endpoints (next_look_at)',
];

const DOWN: readonly string[] = [
  'DROP INDEX agent_endpoints_next_look_at_idx',
  `ALTER TABLE agent_endpoints DROP COLUMN next_look_at, DROP COLUMN failures, DROP COLUMN failed_since,
     DROP COLUMN left_out_at`,
];

/** When the endpoint of an agent is looked at again, and how that went. */
export class EndpointLooks1700000000105 implements MigrationInterface {
  readonly name = 'EndpointLooks1700000000105';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
