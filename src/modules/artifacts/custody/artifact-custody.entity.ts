import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Size in bytes as a number; ARTIFACT_MAX_BYTES keeps it far below 2^53. */
const byteCount = {
  type: 'bigint',
  transformer: { to: (value: number): number => value, from: (value: string): number => Number(value) },
} as const;

/**
 * An artifact that one account has uploaded. The store holds the bytes once, however many accounts uploaded them. The
 * artifact of a delivery is in custody when the worker's account has a row here.
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

  /** The media type that the account declared. */
  @Column({ name: 'media_type', type: 'text' })
  mediaType!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /**
   * End of custody for an artifact without a delivery. With a delivery it is kept for good: custody.sweeper.ts moves
   * this time on.
   */
  @Column({ name: 'kept_until', type: 'timestamptz', precision: 3 })
  keptUntil!: Date;
}
