import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'ALTER TABLE quotes ADD COLUMN sign_until timestamptz(3)',
  `UPDATE quotes SET sign_until = action.expires_at FROM prepared_actions action
    WHERE action.id = quotes.action_id AND quotes.status = 'pending_signature'`,
];

const DOWN: readonly string[] = ['ALTER TABLE quotes DROP COLUMN sign_until'];

/**
 * A quote stores until when its worker may sign it, so that the list of quotes need not read a table of another module.
 */
export class QuoteSignUntil1700000000070 implements MigrationInterface {
  readonly name = 'QuoteSignUntil1700000000070';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
