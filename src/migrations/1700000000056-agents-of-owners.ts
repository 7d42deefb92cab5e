import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'agents_account_id_wallet_address_idx', columns: 'account_id, wallet_address' },
  { name: 'agents_wallet_address_idx', columns: 'wallet_address' },
] as const;

/**
 * The indexes of agents by owner and by wallet name each agent's number too: whoever must leave out all agents of an account
 * reads the index alone, and no row of its thousands of agents. While the two are made, which takes a second for some
 * hundred thousand agents, whoever writes an agent waits; nobody else does.
 */
export class AgentsOfOwners1700000000056 implements MigrationInterface {
  readonly name = 'AgentsOfOwners1700000000056';

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, columns } of INDEXES) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON agents (${columns}) INCLUDE (number)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name, columns } of INDEXES) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON agents (${columns})`);
    }
  }
}
