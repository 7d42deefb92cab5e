import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import type { Hex } from '#libs/kernel';
import type { ActionStatus } from '#libs/prepared-action';
import type { Scope } from '../../credentials/scope.js';
import type { ActionDetails } from './action-details.js';
import type { OriginatingRequest } from './originating-request.js';

/** Statuses that events tell. What nobody knows has not happened. */
export type ToldStatus = Exclude<ActionStatus, 'unknown'>;

/**
 * Who declined the action: a browser that had opened the link, one that had proved the wallet, or one that was signed in
 * as the account. Anybody can be given the link, so only the last two are known to be the principal.
 */
export type DeclinedBy = 'link' | 'wallet' | 'account' | 'credential';

/**
 * One single-use wallet action, prepared here and never signed by this service. Only the columns from `signature` on ever
 * change, except when the personal data of an account is erased.
 */
@Entity('prepared_actions')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'prepared_actions_account_id_fkey' })
@Index('prepared_actions_action_id_hash_key', ['actionIdHash'], { unique: true })
@Index('prepared_actions_signing_token_hash_key', ['signingTokenHash'], { unique: true })
@Index('prepared_actions_account_id_id_idx', ['accountId', 'id'])
@Index('prepared_actions_account_id_client_id_idx', { synchronize: false })
@Index('prepared_actions_open_account_id_kind_idx', { synchronize: false })
@Index('prepared_actions_open_account_id_id_idx', { synchronize: false })
@Index('prepared_actions_unsigned_valid_until_idx', { synchronize: false })
@Index('prepared_actions_signed_valid_until_idx', { synchronize: false })
@Index('prepared_actions_followed_task_id_id_idx', { synchronize: false })
@Index('prepared_actions_due_idx', { synchronize: false })
@Index('prepared_actions_told_block_idx', { synchronize: false })
@Index('prepared_actions_sent_id_idx', { synchronize: false })
@Index('prepared_actions_awaited_idx', { synchronize: false })
export class PreparedActionEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** keccak256 of the id, which the chain's event ActionConsumed names. */
  @Column({ name: 'action_id_hash', type: 'text' })
  actionIdHash!: string;

  @Column({ type: 'text' })
  kind!: string;

  /** The scope of the operation that prepared it. Handing in its signature needs the same scope. */
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

  /** What its kind stores beside the typed data. */
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

  /** The transaction that, as the caller says, executes the action; only the chain shows what became of it. */
  @Column({ name: 'transaction_hash', type: 'text', nullable: true })
  transactionHash!: Hex | null;

  @Column({ name: 'submitted_at', type: 'timestamptz', precision: 3, nullable: true })
  submittedAt!: Date | null;

  /**
   * Another one that was handed in while the chain knew `transactionHash` and not this one, the latest: once the chain knows
   * it, it may decide in place of the first (`byItsTransactions`).
   */
  @Column({ name: 'second_hash', type: 'text', nullable: true })
  secondHash!: Hex | null;

  @Column({ name: 'second_at', type: 'timestamptz', precision: 3, nullable: true })
  secondAt!: Date | null;

  /** True while the chain has to be asked about the transaction that was handed in last, because it did not know it. */
  @Column({ name: 'is_awaited', type: 'boolean', default: false })
  isAwaited!: boolean;

  /** When a person first opened it on the approval page. */
  @Column({ name: 'opened_at', type: 'timestamptz', precision: 3, nullable: true })
  openedAt!: Date | null;

  /** When somebody declined it on the approval page; from then on no signature is accepted. */
  @Column({ name: 'declined_at', type: 'timestamptz', precision: 3, nullable: true })
  declinedAt!: Date | null;

  /** Null also for an action that was declined before this column existed. */
  @Column({ name: 'declined_by', type: 'text', nullable: true })
  declinedBy!: DeclinedBy | null;

  /** Id of the action that was prepared again from the same request, after this one had expired or failed. */
  @Column({ name: 'renewed_by', type: 'text', nullable: true })
  renewedBy!: string | null;

  /** True once its execution is indexed and its last second has passed: it is never deleted then (actions.sweeper.ts). */
  @Column({ name: 'is_kept', type: 'boolean', default: false })
  isKept!: boolean;

  /**
   * The status that the last event about it has told; null: nothing is told of it, because it was prepared before there were
   * events. What it is now follows from the chain and from the time.
   */
  @Column({ name: 'told_status', type: 'text', nullable: true })
  toldStatus!: ToldStatus | null;

  /** Block of the execution that was told; null when none was. */
  @Column({ name: 'told_block', type: 'integer', nullable: true })
  toldBlock!: number | null;
}
