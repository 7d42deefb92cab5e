import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One idempotency key in its partition, bound to the request that used it first
 * (docs/decisions/http.md#one-transaction-per-key).
 */
@Entity('idempotency_records')
@Index('idempotency_records_expires_at_idx', ['expiresAt'])
@Index('idempotency_records_account_id_idx', ['accountId'])
export class IdempotencyRecordEntity {
  /** SHA-256 over principal, operation id and key. */
  @PrimaryColumn({ name: 'scope_hash', type: 'bytea' })
  scopeHash!: Buffer;

  /** SHA-256 over canonical path and body digest. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ name: 'api_version', type: 'text' })
  apiVersion!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ type: 'smallint' })
  status!: number;

  @Column({ type: 'jsonb', default: {} })
  headers!: Record<string, string>;

  /** The response body, sealed: it holds a signing_url. */
  @Column({ type: 'bytea' })
  body!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
