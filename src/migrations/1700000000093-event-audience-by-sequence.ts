import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the readers of an event, for the process that reads each event once for all its streams. */
export class EventAudienceBySequence1700000000093 implements MigrationInterface {
  readonly name = 'EventAudienceBySequence1700000000093';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX event_audience_sequence_idx ON event_audience (sequence)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX event_audience_sequence_idx');
  }
}
