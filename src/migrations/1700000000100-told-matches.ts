import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE told_matches (
     id smallint NOT NULL DEFAULT 1,
     told_to bigint NOT NULL,
     CONSTRAINT told_matches_pkey PRIMARY KEY (id),
     CONSTRAINT told_matches_id_check CHECK (id = 1)
   )`,
  // Of tasks that were opened before anybody could be told, nobody will be.
  'INSERT INTO told_matches (told_to) SELECT coalesce(max(last), 0) FROM event_head',
];

/** Up to which event of the log the owners of matching agents were told of opened tasks. */
export class ToldMatches1700000000100 implements MigrationInterface {
  readonly name = 'ToldMatches1700000000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE told_matches');
  }
}
