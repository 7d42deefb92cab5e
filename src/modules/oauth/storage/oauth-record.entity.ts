import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One record of oidc-provider: a client, grant, session, interaction, code or token. */
@Entity('oauth_records')
@Index('oauth_records_grant_id_kind_rotations_idx', { synchronize: false })
@Index('oauth_records_session_uid_key', { synchronize: false })
@Index('oauth_records_expires_at_idx', { synchronize: false })
export class OAuthRecordEntity {
  /** Name of the library's model. */
  @PrimaryColumn({ type: 'text' })
  kind!: string;

  /** SHA-256 of the record's id, which is the bearer secret itself for codes and tokens. */
  @PrimaryColumn({ name: 'id_hash', type: 'bytea' })
  idHash!: Buffer;

  /** The library's record, without the id. */
  @Column({ type: 'jsonb' })
  payload!: Record<string, unknown>;

  /** The grant under which the record was issued, or the grant's own id. */
  @Column({ name: 'grant_id', type: 'text', nullable: true })
  grantId!: string | null;

  @Column({ type: 'text', nullable: true })
  uid!: string | null;

  /** Number of rotations before this refresh token. */
  @Column({ type: 'integer', default: 0 })
  rotations!: number;

  @Column({ name: 'consumed_at', type: 'timestamptz', precision: 3, nullable: true })
  consumedAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
