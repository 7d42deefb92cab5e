import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser in which a person is signed in. */
@Entity('browser_sessions')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'browser_sessions_account_id_fkey' })
@Index('browser_sessions_token_hash_key', ['tokenHash'], { unique: true })
@Index('browser_sessions_account_id_idx', ['accountId'])
@Index('browser_sessions_expires_at_idx', ['expiresAt'])
export class BrowserSessionEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SHA-256 of the cookie's 256 random bits. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The wallet that signed in, EIP-55. */
  @Column({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  /** The browser's User-Agent, shortened; helps a person to recognise the session. */
  @Column({ name: 'user_agent', type: 'text' })
  userAgent!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Written at most once a minute. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3 })
  lastSeenAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;
}
