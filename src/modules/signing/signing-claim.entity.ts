import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How a browser came to have an action open: by the action's link, a second link, a wallet proof, or a renewal. */
export type ClaimMeans = 'link' | 'extra_link' | 'wallet' | 'renewal';

/** The one browser in which an action is open; a new claim replaces the row. */
@Entity('signing_claims')
@ForeignKey('prepared_actions', ['actionId'], ['id'], { name: 'signing_claims_action_id_fkey', onDelete: 'CASCADE' })
export class SigningClaimEntity {
  @PrimaryColumn({ name: 'action_id', type: 'text' })
  actionId!: string;

  /** SHA-256 of the browser's signing cookie. */
  @Column({ name: 'browser_hash', type: 'bytea' })
  browserHash!: Buffer;

  @Column({ type: 'text' })
  means!: ClaimMeans;

  @Column({ name: 'claimed_at', type: 'timestamptz', precision: 3 })
  claimedAt!: Date;
}
