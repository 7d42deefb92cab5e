import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents of one statement: of usual texts some 20,000 words, in less than a second. */
const AGENTS_AT_ONCE = 500;

/** Who changes one of these agents waits for the statement, and so does it for whoever has begun to. */
const FILL = `WITH listed AS MATERIALIZED (
    SELECT number, search FROM agents
    WHERE number BETWEEN $1 AND $2 AND status NOT IN ('retired', 'suspended') ORDER BY number FOR SHARE
  )
  INSERT INTO agent_words (word, rank, agent_number)
  SELECT own.word, own.rank, listed.number FROM listed CROSS JOIN LATERAL words_of_search(listed.search) AS own
  ON CONFLICT DO NOTHING`;

/**
 * Gives the agents that are there their words, and drops the index that gave all who have a word, in no order. A process of
 * the version before that still serves searches reads all agents for each from then on, until it is replaced. Each statement is a transaction of its own, so that nobody who writes an
 * agent waits for longer than one of them takes, however large the market is; broken off, it can be run again.
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
