import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents per statement: with usual texts some 20,000 words, which take less than a second. */
const AGENTS_AT_ONCE = 500;

/**
 * The row locks make writers of these agents wait for the statement, and the statement wait for writers that came
 * first.
 */
const FILL = `WITH listed AS MATERIALIZED (
    SELECT number, search FROM agents
    WHERE number BETWEEN $1 AND $2 AND status NOT IN ('retired', 'suspended') ORDER BY number FOR SHARE
  )
  INSERT INTO agent_words (word, rank, agent_number)
  SELECT own.word, own.rank, listed.number FROM listed CROSS JOIN LATERAL words_of_search(listed.search) AS own
  ON CONFLICT DO NOTHING`;

/**
 * Adds the words of existing agents, and drops the index that found the agents of a word in no order. From then on, a
 * process of the previous version reads all agents for each search, until it is replaced. Each statement is its own
 * transaction, so that a writer of agents waits no longer than one statement takes, however large the market is. After
 * an interruption the migration can be run again.
 */
export class WordsOfAgents1700000000055 implements MigrationInterface {
  readonly name = 'WordsOfAgents1700000000055';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [row] = await runner.manager.query<{ last: number }[]>('SELECT coalesce(max(number), 0) AS last FROM agents');
    for (let from = 1; from <= (row?.last ?? 0); from += AGENTS_AT_ONCE) {
      await runner.query(FILL, [from, from + AGENTS_AT_ONCE - 1]);
    }
    await runner.query('ANALYZE agent_words');
    await runner.query('DROP INDEX IF EXISTS agents_search_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX IF NOT EXISTS agents_search_idx ON agents USING gin (search) WITH (fastupdate = off)',
    );
    await runner.query('DELETE FROM agent_words');
  }
}
