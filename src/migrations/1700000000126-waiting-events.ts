import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Seconds since the oldest recorded event that is not in the log yet was recorded, as soon as there is one; null after
 * so many looks, 20 ms apart, without one. Each look sees what has committed by then.
 */
const UP = `CREATE FUNCTION oldest_waiting_event(looks integer) RETURNS float8 LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE seconds float8;
BEGIN
  FOR look IN 1..looks LOOP
    SELECT extract(epoch FROM clock_timestamp() - recorded_at) INTO seconds FROM event_outbox ORDER BY id LIMIT 1;
    IF FOUND THEN RETURN seconds; END IF;
    IF look < looks THEN PERFORM pg_sleep(0.02); END IF;
  END LOOP;
  RETURN NULL;
END $$`;

/** Postgres waits for events itself: a question for each look costs the process that asks more than the look. */
export class WaitingEvents1700000000126 implements MigrationInterface {
  readonly name = 'WaitingEvents1700000000126';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION oldest_waiting_event(integer)');
  }
}
