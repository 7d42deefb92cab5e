import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE agent_identities (
     agent_id text NOT NULL,
     registry text NOT NULL,
     token_id numeric(78,0) NOT NULL,
     owner_wallet text NOT NULL,
     linked_at timestamptz(3) NOT NULL,
     CONSTRAINT agent_identities_pkey PRIMARY KEY (agent_id),
     CONSTRAINT agent_identities_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
   )`,
  'CREATE UNIQUE INDEX agent_identities_registry_token_id_key ON agent_identities (registry, token_id)',
];

const DOWN: readonly string[] = ['DROP TABLE agent_identities'];

/** The on-chain identities (ERC-8004) whose owners have signed that an agent is theirs. */
export class AgentIdentities1700000000103 implements MigrationInterface {
  readonly name = 'AgentIdentities1700000000103';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
