import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE match_agents (
      number integer NOT NULL,
      live_nodes integer NOT NULL,
      impressions integer NOT NULL,
      settlements integer,
      available boolean NOT NULL,
      available_until timestamptz(3),
      status text NOT NULL,
      id text NOT NULL,
      account_id text NOT NULL,
      owner_cluster text NOT NULL,
      wallet_address text NOT NULL,
      score numeric(5,4),
      independence_confidence numeric(5,4),
      settled_value numeric(78,0),
      independent_value numeric(78,0),
      postings bytea NOT NULL,
      CONSTRAINT match_agents_pkey PRIMARY KEY (number)
    ) WITH (fillfactor = 90)`,
  // The service fills match_agents. Agents that are not in it yet are read from their own tables.
  `CREATE TABLE match_agents_state (
      id smallint NOT NULL DEFAULT 1,
      applied text,
      CONSTRAINT match_agents_state_pkey PRIMARY KEY (id)
    )`,
  'INSERT INTO match_agents_state DEFAULT VALUES',
  `CREATE FUNCTION note_agents() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO match_changes (transaction_id, kind, agent_numbers, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'state', array_agg(number), now() FROM changed HAVING count(*) > 0;
    RETURN NULL;
  END $$`,
];

/** For each event, which row versions the trigger reads: the written ones or the deleted ones. */
const EVENTS = [
  { event: 'INSERT', rows: 'NEW' },
  { event: 'UPDATE', rows: 'NEW' },
  { event: 'DELETE', rows: 'OLD' },
] as const;

/**
 * One row per agent with everything its place in a ranking depends on, and a note of every change of an agent, whoever
 * makes it.
 */
export class MatchAgents1700000000013 implements MigrationInterface {
  readonly name = 'MatchAgents1700000000013';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const { event, rows } of EVENTS) {
      await runner.query(`CREATE TRIGGER agents_noted_${event.toLowerCase()} AFTER ${event} ON agents
        REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_agents()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { event } of EVENTS) {
      await runner.query(`DROP TRIGGER agents_noted_${event.toLowerCase()} ON agents`);
    }
    await runner.query('DROP FUNCTION note_agents()');
    await runner.query('DROP TABLE match_agents_state');
    await runner.query('DROP TABLE match_agents');
  }
}
