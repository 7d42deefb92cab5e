import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for each word of each agent, in the order in which a search for the word lists its agents. */
const TABLE = `CREATE TABLE agent_words (
    word text NOT NULL,
    rank real NOT NULL,
    agent_number integer NOT NULL,
    CONSTRAINT agent_words_pkey PRIMARY KEY (word, rank, agent_number)
  )`;

/**
 * SQL function that returns each word of an agent's texts, with the rank of the agent in a search for that word alone.
 */
const WORDS_OF = `CREATE FUNCTION words_of_search(search tsvector) RETURNS TABLE (word text, rank real)
  LANGUAGE sql IMMUTABLE ROWS 30 AS $$
    SELECT lexeme, ts_rank(search, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery, 1)
    FROM unnest(search)
  $$`;

/**
 * Trigger function that keeps an agent's words. Words whose rank did not change are not written. Retired and suspended
 * agents have no words. Sequential scans are off, because a plan made while the table was empty would read all of it.
 */
const FOLLOW = `CREATE FUNCTION follow_agent_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    former tsvector := '';
    present tsvector := '';
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.status NOT IN ('retired', 'suspended') THEN former := OLD.search; END IF;
    IF TG_OP <> 'DELETE' AND NEW.status NOT IN ('retired', 'suspended') THEN present := NEW.search; END IF;
    WITH had AS MATERIALIZED (
      SELECT word, rank FROM words_of_search(former)
    ), has AS MATERIALIZED (
      SELECT word, rank FROM words_of_search(present)
    ), lost AS (
      DELETE FROM agent_words own USING (SELECT * FROM had EXCEPT ALL SELECT * FROM has) AS gone
      WHERE own.word = gone.word AND own.rank = gone.rank AND own.agent_number = OLD.number
    )
    INSERT INTO agent_words (word, rank, agent_number)
      SELECT word, rank, NEW.number FROM (SELECT * FROM has EXCEPT ALL SELECT * FROM had) AS come
      ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`;

const UP: readonly string[] = [
  TABLE,
  WORDS_OF,
  FOLLOW,
  `CREATE TRIGGER agents_words_written AFTER INSERT OR DELETE ON agents
     FOR EACH ROW EXECUTE FUNCTION follow_agent_words()`,
  `CREATE TRIGGER agents_words_changed AFTER UPDATE ON agents FOR EACH ROW
     WHEN (OLD.search IS DISTINCT FROM NEW.search OR OLD.status IS DISTINCT FROM NEW.status
       OR OLD.number IS DISTINCT FROM NEW.number)
     EXECUTE FUNCTION follow_agent_words()`,
];

const DOWN: readonly string[] = [
  'DROP TRIGGER agents_words_changed ON agents',
  'DROP TRIGGER agents_words_written ON agents',
  'DROP FUNCTION follow_agent_words()',
  'DROP FUNCTION words_of_search(tsvector)',
  'DROP TABLE agent_words',
];

/**
 * The words that agents are searched by, each with its agents in the order in which they are listed. From now on every
 * change of an agent updates its words; the next migration adds the words of existing agents. Writers of agents wait
 * only for the moment in which the triggers are created.
 */
export class AgentWords1700000000054 implements MigrationInterface {
  readonly name = 'AgentWords1700000000054';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
