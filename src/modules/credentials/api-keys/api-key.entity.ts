import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Scope } from '../scope.js';

/** One API key: one fixed scope of one account. Only a keyed hash of the secret is kept. */
@Entity('api_keys')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'api_keys_account_id_fkey' })
@Index('api_keys_secret_hash_key', ['secretHash'], { unique: true })
@Index('api_keys_account_id_scope_idx', ['accountId', 'scope'])
@Index('api_keys_ended_idx', { synchronize: false })
@Index('api_keys_spend_policy_id_idx', { synchronize: false })
@ForeignKey('spend_policies', ['spendPolicyId'], ['id'], { name: 'api_keys_spend_policy_id_fkey' })
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** Fixed when the key is made. This column decides, not the letter inside the key. */
  @Column({ type: 'text' })
  scope!: Scope;

  @Column({ type: 'text' })
  name!: string;

  /** The non-secret beginning (`last4` is the end), by which a person recognises the key. */
  @Column({ type: 'text' })
  prefix!: string;

  @Column({ type: 'text' })
  last4!: string;

  /** HMAC-SHA-256 of the whole key under the pepper of `pepperVersion`. */
  @Column({ name: 'secret_hash', type: 'bytea' })
  secretHash!: Buffer;

  /** Number of the pepper of `secretHash`. Keys older than these numbers have 1 until their next use. */
  @Column({ name: 'pepper_version', type: 'integer' })
  pepperVersion!: number;

  /** Service version for calls with this key that name none. */
  @Column({ name: 'pinned_version', type: 'text' })
  pinnedVersion!: string;

  /** Networks (CIDR) the key may be used from; null = any. */
  @Column({ type: 'text', array: true, nullable: true })
  cidrs!: string[] | null;

  /** What the wallet may be asked to pay with it; keys made together, and a key and its successor, share one. Null: no limit. */
  @Column({ name: 'spend_policy_id', type: 'text', nullable: true })
  spendPolicyId!: string | null;

  @Column({ name: 'created_by', type: 'text' })
  createdBy!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Written at most once a minute, off the request path. */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
