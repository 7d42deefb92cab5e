import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import type { Hex } from '#libs/kernel';
import type { Scope } from '../../credentials/scope.js';
import type { ActionDetails } from './action-details.js';
import type { OriginatingRequest } from './originating-request.js';

/**
 * Who said no: whoever had opened the link, whoever had proved the wallet, or who was signed in as the account. A link
 * is whoever's it is given to, so only the last two are known to be the principal.
 */
export type DeclinedBy = 'link' | 'wallet' | 'account';

/** One prepared, never signed by us, single-use wallet action. Only the last eight columns ever change. */
@Entity('prepared_actions')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'prepared_actions_account_id_fkey' })
@Index('prepared_actions_action_id_hash_key', ['actionIdHash'], { unique: true })
@Index('prepared_actions_signing_token_hash_key', ['signingTokenHash'], { unique: true })
@Index('prepared_actions_account_id_id_idx', ['accountId', 'id'])
@Index('prepared_actions_sent_idx', { synchronize: false })
@Index('prepared_actions_account_id_client_id_idx', { synchronize: false })
@Index('prepared_actions_open_account_id_kind_idx', { synchronize: false })
@Index('prepared_actions_unsigned_valid_until_idx', { synchronize: false })
@Index('prepared_actions_signed_valid_until_idx', { synchronize: false })
@Index('prepared_actions_escrow_wallet_nonce_key', ['escrowAddress', 'walletAddress', 'nonce'], { unique: true })
export class PreparedActionEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** keccak256 of the id: what the chain's ActionConsumed names. */
  @Column({ name: 'action_id_hash', type: 'text' })
  actionIdHash!: string;

  @Column({ type: 'text' })
  kind!: string;

  /** The scope that prepared it, and that a submission of its signature needs. */
  @Column({ type: 'text' })
  scope!: Scope;

  /** The authenticated principal. */
  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The application that prepared it; null when an API key did. */
  @Column({ name: 'client_id', type: 'text', nullable: true })
  clientId!: string | null;

  /** The key, or the grant of the application, that prepared it; null when it is not known. */
  @Column({ name: 'credential_id', type: 'text', nullable: true })
  credentialId!: string | null;

  @Column({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  @Column({ name: 'task_id', type: 'text', nullable: true })
  taskId!: string | null;

  @Column({ name: 'node_id', type: 'text', nullable: true })
  nodeId!: string | null;

  @Column({ name: 'chain_id', type: 'bigint' })
  chainId!: string;

  @Column({ name: 'escrow_address', type: 'text' })
  escrowAddress!: string;

  @Column(baseUnits)
  nonce!: bigint;

  @Column({ name: 'request_digest', type: 'text' })
  requestDigest!: string;

  /** The request that prepared it, as it was asked; null when it is not known. */
  @Column({ type: 'json', nullable: true })
  request!: OriginatingRequest | null;

  /** Typed data and the ready call, exactly as returned. */
  @Column({ type: 'json' })
  payload!: Record<string, unknown>;

  /** Last second at which a signature of it can be used on the chain; not before `expiresAt`. */
  @Column({ name: 'valid_until', type: 'timestamptz', precision: 3 })
  validUntil!: Date;

  /** What its kind remembers beside the typed data. */
  @Column({ type: 'jsonb', default: {} })
  details!: ActionDetails;

  /** SHA-256 of the signing link's 256-bit token; the token itself is never stored in clear. */
  @Column({ name: 'signing_token_hash', type: 'bytea' })
  signingTokenHash!: Buffer;

  /** The same token sealed under APP_SECRET, so that getAction can show the link again to its principal. */
  @Column({ name: 'signing_token_sealed', type: 'bytea' })
  signingTokenSealed!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** The wallet's verified signature, 0x-hex, when it was handed in. */
  @Column({ type: 'text', nullable: true })
  signature!: Hex | null;

  @Column({ name: 'signed_at', type: 'timestamptz', precision: 3, nullable: true })
  signedAt!: Date | null;

  /** The transaction that the caller says executes the action; what became of it only the chain says. */
  @Column({ name: 'transaction_hash', type: 'text', nullable: true })
  transactionHash!: Hex | null;

  @Column({ name: 'submitted_at', type: 'timestamptz', precision: 3, nullable: true })
  submittedAt!: Date | null;

  /** When a person first opened it on the approval page. */
  @Column({ name: 'opened_at', type: 'timestamptz', precision: 3, nullable: true })
  openedAt!: Date | null;

  /** When somebody said no on the approval page: no signature is taken any more. */
  @Column({ name: 'declined_at', type: 'timestamptz', precision: 3, nullable: true })
  declinedAt!: Date | null;

  /** Null also for one that was declined before this was written down. */
  @Column({ name: 'declined_by', type: 'text', nullable: true })
  declinedBy!: DeclinedBy | null;

  /** The action that the same request was prepared as again, after this one had expired. */
  @Column({ name: 'renewed_by', type: 'text', nullable: true })
  renewedBy!: string | null;

  /** True once the index has shown its execution and its time was over: it is never deleted (actions.sweeper.ts). */
  @Column({ name: 'is_kept', type: 'boolean', default: false })
  isKept!: boolean;
}
