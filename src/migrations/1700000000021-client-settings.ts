import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator has decided about single applications, including those known only by their metadata document. */
export class ClientSettings1700000000021 implements MigrationInterface {
  readonly name = 'ClientSettings1700000000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE oauth_client_settings (
      client_id text NOT NULL,
      access_token_seconds integer NOT NULL,
      changed_at timestamptz(3) NOT NULL,
      CONSTRAINT oauth_client_settings_pkey PRIMARY KEY (client_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_client_settings');
  }
}
