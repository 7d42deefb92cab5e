import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One delivery that was tried. It outlives its endpoint until it is 30 days old, so it has no foreign key. */
@Entity('webhook_attempts')
@Index('webhook_attempts_endpoint_id_id_idx', ['endpointId', 'id'])
@Index('webhook_attempts_at_idx', ['at'])
@Index('webhook_attempts_account_id_idx', ['accountId'])
export class WebhookAttemptEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'endpoint_id', type: 'text' })
  endpointId!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** Null: there was no answer, `failure` says why. */
  @Column({ name: 'http_status', type: 'integer', nullable: true })
  httpStatus!: number | null;

  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs!: number;

  /** The first 4 KiB of the answer, without control characters; text of another party. */
  @Column({ type: 'text' })
  answer!: string;
}
