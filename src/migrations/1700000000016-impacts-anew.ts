import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The formula of a word's impact changes (relevance/impact.ts). The service recomputes all impacts, a few hundred
 * agents at a time, as it also does when the averages have drifted too far (settled-briefs/statistics.runner.ts). Until
 * it has finished, impacts of both formulas are used side by side.
 */
export class ImpactsAnew1700000000016 implements MigrationInterface {
  readonly name = 'ImpactsAnew1700000000016';

  async up(runner: QueryRunner): Promise<void> {
    await beginAnew(runner);
  }

  /** Makes the previous release recompute the impacts by its own formula. */
  async down(runner: QueryRunner): Promise<void> {
    await beginAnew(runner);
  }
}

async function beginAnew(runner: QueryRunner): Promise<void> {
  await runner.query('UPDATE match_statistics SET rewritten_to = 0');
}
