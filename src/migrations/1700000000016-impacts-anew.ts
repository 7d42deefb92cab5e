import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A word's impact is made by another formula (relevance/impact.ts): the service makes all of them anew, some hundred agents
 * at a time, as it does when averages are too far off (settled-briefs/statistics.runner.ts). Until then both kinds are matched by.
 */
export class ImpactsAnew1700000000016 implements MigrationInterface {
  readonly name = 'ImpactsAnew1700000000016';

  async up(runner: QueryRunner): Promise<void> {
    await beginAnew(runner);
  }

  /** The service of before makes those of its own formula. */
  async down(runner: QueryRunner): Promise<void> {
    await beginAnew(runner);
  }
}

async function beginAnew(runner: QueryRunner): Promise<void> {
  await runner.query('UPDATE match_statistics SET rewritten_to = 0');
}
