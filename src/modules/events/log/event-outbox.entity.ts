import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An event that a transaction has recorded, until the sequencer gives it its place in the log. */
@Entity('event_outbox')
export class EventOutboxEntity {
  /**
   * Assigned at insert, so before the commit: a row may become visible after rows with greater numbers. Those of one
   * subject are in the order of its changes, because each is recorded while the subject's row is locked.
   */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'event_outbox_pkey',
  })
  id!: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'task_id', type: 'text', nullable: true })
  taskId!: string | null;

  /** Ids of the accounts that may read it, each once, or `public` alone. */
  @Column({ type: 'text', array: true })
  audience!: string[];

  @Column({ type: 'text' })
  document!: string;

  /** Block of an event of a tree that the chain has caused; of every other event absent, as is the hash. */
  @Column({ name: 'block_number', type: 'integer', nullable: true })
  blockNumber!: number | null;

  @Column({ name: 'block_hash', type: 'text', nullable: true })
  blockHash!: string | null;

  /** By the clock of Postgres, which the age of what waits is measured with. */
  @Column({ name: 'recorded_at', type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  recordedAt!: Date;
}
