import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE agent_endpoints (
     agent_id text NOT NULL,
     url text NOT NULL,
     card_url text NOT NULL,
     protocol_binding text NOT NULL,
     protocol_version text NOT NULL,
     checked_at timestamptz(3) NOT NULL,
     CONSTRAINT agent_endpoints_pkey PRIMARY KEY (agent_id),
     CONSTRAINT agent_endpoints_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
   )`,
];

const DOWN: readonly string[] = ['DROP TABLE agent_endpoints'];

/** The A2A endpoints of agents, each with what its own card said of it when it was checked. */
export class AgentEndpoints1700000000102 implements MigrationInterface {
  readonly name = 'AgentEndpoints1700000000102';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
