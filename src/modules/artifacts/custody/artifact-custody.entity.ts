import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Bytes of an artifact: far below 2^53 (ARTIFACT_MAX_BYTES). */
const byteCount = {
  type: 'bigint',
  transformer: { to: (value: number): number => value, from: (value: string): number => Number(value) },
} as const;

/**
 * One account has brought these bytes into custody. The bytes themselves are in the store once, however many accounts
 * brought them; a delivery's artifact is in custody when its worker's account has a row here.
 */
@Entity('artifact_custody')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'artifact_custody_account_id_fkey' })
@Index('artifact_custody_kept_until_idx', ['keptUntil'])
@Index('artifact_custody_artifact_hash_idx', ['artifactHash'])
export class ArtifactCustodyEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** SHA-256 of the bytes, `0x` and lower-case digits. */
  @PrimaryColumn({ name: 'artifact_hash', type: 'text' })
  artifactHash!: string;

  @Column(byteCount)
  bytes!: number;

  /** What the account said the bytes are. */
  @Column({ name: 'media_type', type: 'text' })
  mediaType!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Until when it is kept without a delivery. With one it is kept for good: the sweeper moves this on (custody.sweeper.ts). */
  @Column({ name: 'kept_until', type: 'timestamptz', precision: 3 })
  keptUntil!: Date;
}
