import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Purpose of a wallet's signature, which is not valid for any other purpose. */
export type ChallengePurpose = 'sign_in' | 'link_wallet' | 'open_action' | 'confirm_act';

/** One message (EIP-4361) that one wallet may sign once, in one browser, for one purpose. */
@Entity('wallet_challenges')
@Index('wallet_challenges_expires_at_idx', ['expiresAt'])
export class WalletChallengeEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SHA-256 of the browser's secret, so that only this browser can use the signature. */
  @Column({ name: 'binding_hash', type: 'bytea' })
  bindingHash!: Buffer;

  @Column({ type: 'text' })
  purpose!: ChallengePurpose;

  /** EIP-55. */
  @Column({ type: 'text' })
  address!: string;

  /** EIP-155, decimal text. */
  @Column({ name: 'chain_id', type: 'bigint' })
  chainId!: string;

  @Column({ type: 'text' })
  nonce!: string;

  /** Request id: the interaction, page, action or act that the message is for. */
  @Column({ name: 'request_id', type: 'text' })
  requestId!: string;

  /** What the signature confirms, in words; only for `confirm_act`. */
  @Column({ type: 'text', nullable: true })
  act!: string | null;

  @Column({ name: 'issued_at', type: 'timestamptz', precision: 3 })
  issuedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', precision: 3, nullable: true })
  consumedAt!: Date | null;

  /** `key` or `contract`: what confirmed the signature; null before its use. */
  @Column({ name: 'proved_by', type: 'text', nullable: true })
  provedBy!: string | null;
}
