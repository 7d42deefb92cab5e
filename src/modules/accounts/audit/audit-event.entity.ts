import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One thing that happened to a credential or a session. Postgres refuses every update, and every deletion of a row
 * younger than 30 days. audit.sweeper.ts deletes old rows.
 */
@Entity('audit_events')
@Index('audit_events_account_id_id_idx', { synchronize: false })
@Index('audit_events_occurred_at_idx', ['occurredAt'])
@Index('audit_events_anonymous_occurred_at_idx', { synchronize: false })
export class AuditEventEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date;

  /** `X-Request-Id` of the request; null for a command of the operator. */
  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;

  @Column({ type: 'text' })
  event!: string;

  @Column({ name: 'account_id', type: 'text', nullable: true })
  accountId!: string | null;

  @Column({ name: 'client_id', type: 'text', nullable: true })
  clientId!: string | null;

  /** Id of a key, grant, session, challenge or action; never a secret. */
  @Column({ name: 'credential_id', type: 'text', nullable: true })
  credentialId!: string | null;

  @Column({ type: 'jsonb' })
  detail!: Record<string, unknown>;
}
