import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Settlements store the agent's number too, so that comparing a task with a hundred settled briefs need not read the
 * agents. A trigger sets it, whoever writes the settlement. An agent's number never changes.
 */
export class SettledAgents1700000000014 implements MigrationInterface {
  readonly name = 'SettledAgents1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settlements ADD COLUMN agent_number integer');
    await runner.query(
      'UPDATE settlements SET agent_number = agents.number FROM agents WHERE agents.id = settlements.agent_id',
    );
    await runner.query(`CREATE FUNCTION number_agent_of_settlement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.agent_number := (SELECT number FROM agents WHERE id = NEW.agent_id);
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER settlements_numbered BEFORE INSERT OR UPDATE OF agent_id ON settlements
      FOR EACH ROW EXECUTE FUNCTION number_agent_of_settlement()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER settlements_numbered ON settlements');
    await runner.query('DROP FUNCTION number_agent_of_settlement()');
    await runner.query('ALTER TABLE settlements DROP COLUMN agent_number');
  }
}
