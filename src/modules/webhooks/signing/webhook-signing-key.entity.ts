import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The service's own key for deliveries; its private half is sealed under APP_SECRET. */
@Entity('webhook_signing_keys')
export class WebhookSigningKeyEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** 32 bytes (RFC 8032). */
  @Column({ name: 'public_key', type: 'bytea' })
  publicKey!: Buffer;

  /** The seed, 32 bytes before it was sealed; bound to the id. */
  @Column({ name: 'private_sealed', type: 'bytea' })
  privateSealed!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
