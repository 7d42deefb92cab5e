import type { MigrationInterface, QueryRunner } from 'typeorm';

const LISTS = 'match_brief_postings_term_id_weight_idx';

const UP: readonly string[] = [
  `ALTER TABLE match_briefs ADD COLUMN words_digest bytea, ADD COLUMN counts boolean,
     ADD COLUMN is_searched boolean NOT NULL DEFAULT true`,
  // All are searched, as before, until the statistics weigh them anew, which tells equal ones.
  'ALTER TABLE match_brief_postings ADD COLUMN is_searched boolean NOT NULL DEFAULT true',
  'UPDATE match_statistics SET brief_version = brief_version + 1',
  'ALTER TABLE match_statistics ADD COLUMN judged_run integer NOT NULL DEFAULT 0, ADD COLUMN judged_to integer',
  'CREATE INDEX match_briefs_equal_idx ON match_briefs (words_digest, number) WHERE counts IS NOT FALSE',
  'CREATE INDEX match_briefs_searched_idx ON match_briefs (words_digest) WHERE is_searched',
  'CREATE INDEX match_briefs_unjudged_idx ON match_briefs (number) WHERE counts IS NULL',
  `DROP INDEX ${LISTS}`,
  `CREATE INDEX ${LISTS} ON match_brief_postings (term_id, is_searched, weight DESC, brief_number)`,
];

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

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
