import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A proof of possession (RFC 9449) that was used. */
@Entity('dpop_proofs')
@Index('dpop_proofs_expires_at_idx', ['expiresAt'])
export class DpopProofEntity {
  /** SHA-256 of the key's thumbprint and the proof's `jti`. */
  @PrimaryColumn({ name: 'proof_hash', type: 'bytea' })
  proofHash!: Buffer;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
