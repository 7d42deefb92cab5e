import type { MigrationInterface, QueryRunner } from 'typeorm';
import { asOne } from './as-one.js';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

const LISTS = 'match_brief_postings_term_id_weight_idx';

const COLUMNS: readonly string[] = [
  `ALTER TABLE match_briefs ADD COLUMN IF NOT EXISTS words_digest bytea, ADD COLUMN IF NOT EXISTS counts boolean,
     ADD COLUMN IF NOT EXISTS is_searched boolean NOT NULL DEFAULT true`,
  // All are searched, as before, until the statistics weigh them anew, which tells equal ones.
  'ALTER TABLE match_brief_postings ADD COLUMN IF NOT EXISTS is_searched boolean NOT NULL DEFAULT true',
  'UPDATE match_statistics SET brief_version = brief_version + 1',
  `ALTER TABLE match_statistics ADD COLUMN IF NOT EXISTS judged_run integer NOT NULL DEFAULT 0,
     ADD COLUMN IF NOT EXISTS judged_to integer`,
];

const INDEXES = {
  match_briefs_equal_idx: 'match_briefs (words_digest, number) WHERE counts IS NOT FALSE',
  match_briefs_searched_idx: 'match_briefs (words_digest) WHERE is_searched',
  match_briefs_unjudged_idx: 'match_briefs (number) WHERE counts IS NULL',
  [LISTS]: 'match_brief_postings (term_id, is_searched, weight DESC, brief_number)',
} as const;

const DOWN: readonly string[] = [
  `DROP INDEX ${LISTS}`,
  `CREATE INDEX ${LISTS} ON match_brief_postings (term_id, weight DESC, brief_number)`,
  'DROP INDEX match_briefs_unjudged_idx',
  'DROP INDEX match_briefs_searched_idx',
  'DROP INDEX match_briefs_equal_idx',
  'ALTER TABLE match_statistics DROP COLUMN judged_run, DROP COLUMN judged_to',
  'ALTER TABLE match_brief_postings DROP COLUMN is_searched',
  'ALTER TABLE match_briefs DROP COLUMN words_digest, DROP COLUMN counts, DROP COLUMN is_searched',
];

/** The lists of settled briefs that SQL searches hold one of equal briefs, and none that count for nobody. */
export class SearchedBriefs1700000000124 implements MigrationInterface {
  readonly name = 'SearchedBriefs1700000000124';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await asOne(runner, async () => {
      for (const statement of COLUMNS) await runner.query(statement);
    });
    for (const [name, definition] of Object.entries(INDEXES)) await makeIndexBesideTraffic(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
