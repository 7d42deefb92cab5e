import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One key of the authorization server; its private half is sealed under APP_SECRET. */
@Entity('oauth_signing_keys')
export class SigningKeyEntity {
  /** The `kid`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'public_jwk', type: 'jsonb' })
  publicJwk!: Record<string, unknown>;

  @Column({ name: 'private_sealed', type: 'bytea' })
  privateSealed!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Time from which the key signs; it is published from its creation on. */
  @Column({ name: 'signs_from', type: 'timestamptz', precision: 3 })
  signsFrom!: Date;
}
