import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A second link to an action, for another device. It works once, and replaces the claim of the browser that had the
 * action open. An action has at most one that was not used.
 */
@Entity('signing_extra_links')
@ForeignKey('prepared_actions', ['actionId'], ['id'], {
  name: 'signing_extra_links_action_id_fkey',
  onDelete: 'CASCADE',
})
@Index('signing_extra_links_action_id_idx', ['actionId'])
@Index('signing_extra_links_unused_key', ['actionId'], { unique: true, where: 'used_at IS NULL' })
export class SigningExtraLinkEntity {
  /** SHA-256 of the link's 256-bit token; the token itself is not stored. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'action_id', type: 'text' })
  actionId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'used_at', type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}
