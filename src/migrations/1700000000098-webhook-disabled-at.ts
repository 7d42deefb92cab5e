import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'ALTER TABLE webhook_endpoints ADD COLUMN disabled_at timestamptz(3)',
  // A disabled endpoint is rarely changed, so its last change is the best guess there is.
  `UPDATE webhook_endpoints SET disabled_at = updated_at WHERE status = 'disabled'`,
];

const DOWN: readonly string[] = ['ALTER TABLE webhook_endpoints DROP COLUMN disabled_at'];

/** Since when an endpoint is disabled: its owner is shown it, and `updated_at` moves with every change. */
export class WebhookDisabledAt1700000000098 implements MigrationInterface {
  readonly name = 'WebhookDisabledAt1700000000098';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
