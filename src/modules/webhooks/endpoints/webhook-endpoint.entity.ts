import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Why an endpoint gets nothing: its owner wished so, it answered 410, it failed for five days, or the operator. */
export const DISABLED_REASONS = ['owner', 'gone', 'failing', 'operator'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address at which an account is told its events. All times but that of the lease are of the service's clock. */
@Entity('webhook_endpoints')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'webhook_endpoints_account_id_fkey' })
@Index('webhook_endpoints_account_id_id_idx', ['accountId', 'id'])
export class WebhookEndpointEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The key or the grant that made it, with which it ends; null: the person, on a page. */
  @Column({ name: 'credential_id', type: 'text', nullable: true })
  credentialId!: string | null;

  /** May hold a secret of the receiver's in its path or query, so it is never logged. */
  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** Null: every type. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: string[] | null;

  @Column({ type: 'text' })
  status!: 'enabled' | 'disabled';

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: DisabledReason | null;

  /** Since when it gets nothing; null: it is enabled. */
  @Column({ name: 'disabled_at', type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  /** Sealed under APP_SECRET and bound to the id: it signs, so a hash of it would not do. */
  @Column({ name: 'secret_sealed', type: 'bytea' })
  secretSealed!: Buffer;

  @Column({ name: 'previous_secret_sealed', type: 'bytea', nullable: true })
  previousSecretSealed!: Buffer | null;

  /** Until when the previous secret signs too. */
  @Column({ name: 'previous_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  /** Sequence of the last event of the log that was tried; what is behind it is still to come. */
  @Column({ type: 'bigint' })
  position!: string;

  /** How many events wait to be tried again (webhook_retries). */
  @Column({ type: 'integer', default: 0 })
  waiting!: number;

  /** Events that have failed one after the other since the last one that was taken. */
  @Column({ name: 'failed_in_a_row', type: 'integer', default: 0 })
  failedInARow!: number;

  /** First failure since the last event that was taken. */
  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** Sequence of the first event that it missed when it was disabled, until that is replayed. */
  @Column({ name: 'missed_from', type: 'bigint', nullable: true })
  missedFrom!: string | null;

  /** Whether its last answer failed or took long: such endpoints share some of the places among themselves. */
  @Column({ name: 'is_slow', type: 'boolean', default: false })
  isSlow!: boolean;

  /** Nothing is sent before; later than now only where the receiver has asked for it (`Retry-After`). */
  @Column({ name: 'resume_at', type: 'timestamptz', precision: 3 })
  resumeAt!: Date;

  /** When a process last took it up: whoever has waited longest is next. */
  @Column({ name: 'served_at', type: 'timestamptz', precision: 3 })
  servedAt!: Date;

  /** Who delivers to it now; null: nobody. */
  @Column({ name: 'lease_holder', type: 'text', nullable: true })
  leaseHolder!: string | null;

  /** By the clock of Postgres, which all processes share. */
  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
