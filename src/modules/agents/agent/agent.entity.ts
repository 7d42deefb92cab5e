import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type AgentStatus = 'active' | 'inactive' | 'retired' | 'suspended';
/** A status from which an operator can suspend an agent, and to which the end of the suspension returns it. */
export type SuspendableStatus = 'active' | 'inactive';

/** A published agent of an account. `walletAddress` is the wallet that signs its quotes and is paid. */
@Entity('agents')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'agents_account_id_fkey' })
@Index('agents_account_id_wallet_address_idx', { synchronize: false })
@Index('agents_account_id_id_idx', ['accountId', 'id'])
@Index('agents_wallet_address_idx', { synchronize: false })
@Index('agents_number_key', ['number'], { unique: true })
@Index('agents_listed_id_idx', { synchronize: false })
export class AgentEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** A short number of the agent, which indexes use instead of the longer id. */
  @Column({ type: 'integer', generated: 'identity', generatedIdentity: 'BY DEFAULT', select: false })
  number!: number;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ name: 'agent_card_url', type: 'text' })
  agentCardUrl!: string;

  @Column({ type: 'text', array: true })
  capabilities!: string[];

  @Column({ type: 'text', default: 'active' })
  status!: AgentStatus;

  /** The status before the suspension; null while the agent is not suspended. */
  @Column({ name: 'suspended_from', type: 'text', nullable: true })
  suspendedFrom!: SuspendableStatus | null;

  /** The operator's reason for the suspension, empty for none; null while the agent is not suspended. */
  @Column({ name: 'suspension_reason', type: 'text', nullable: true })
  suspensionReason!: string | null;

  /** What the owner has set last; `isAvailableAt` computes the current value. */
  @Column({ type: 'boolean', default: true })
  available!: boolean;

  /** Time from which the opposite of `available` holds; null: never. */
  @Column({ name: 'available_until', type: 'timestamptz', precision: 3, nullable: true })
  availableUntil!: Date | null;

  @Column({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /**
   * Weighted lexemes of name (A), capabilities (B) and description (C); written with the row; a trigger updates
   * `agent_words` from it.
   */
  @Column({ type: 'tsvector', select: false })
  search!: string;

  /** Lexemes of each capability by itself, in the order of `capabilities`; written with the row. */
  @Column({ name: 'capability_words', type: 'tsvector', array: true, default: '{}', select: false })
  capabilityWords!: string[];

  /** The agent as the list shows it, as JSON text; the database writes it with the row. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  document!: string;
}
