import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Agents are found by their words (1700000000054): the index that gave all who have a word, in no order, is not read any
 * more. Dropping it locks the table of agents for a moment. A process of the version before that still serves searches
 * reads all agents for each until it is replaced.
 */
export class SearchByWords1700000000056 implements MigrationInterface {
  readonly name = 'SearchByWords1700000000056';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX agents_search_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX agents_search_idx ON agents USING gin (search) WITH (fastupdate = off)');
  }
}
