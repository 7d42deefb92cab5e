import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One decoded contract event of a known tree: the rewindable record that every projection is folded from. */
@Entity('chain_facts')
@Index('chain_facts_task_id_idx', ['taskId', 'blockNumber', 'logIndex'])
@Index('chain_facts_used_nonce_idx', { synchronize: false })
@Index('chain_facts_cancelled_idx', { synchronize: false })
@Index('chain_facts_root_paid_idx', { synchronize: false })
@Index('chain_facts_terms_paid_idx', { synchronize: false })
export class ChainFactEntity {
  @PrimaryColumn({ name: 'block_number', type: 'integer' })
  blockNumber!: number;

  @PrimaryColumn({ name: 'log_index', type: 'integer' })
  logIndex!: number;

  @Column({ name: 'block_hash', type: 'text' })
  blockHash!: string;

  @Column({ name: 'block_time', type: 'timestamptz', precision: 3 })
  blockTime!: Date;

  @Column({ name: 'transaction_hash', type: 'text' })
  transactionHash!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  /** keccak256 of the action id, for ActionConsumed. */
  @Column({ name: 'action_id_hash', type: 'text', nullable: true })
  actionIdHash!: string | null;

  /** `factToJson` of libs/contracts. */
  @Column({ type: 'jsonb' })
  fact!: Record<string, unknown>;

  /**
   * For NoncesInvalidated the nonces of its word that its signer has cancelled by then, here and before: a mask of 256 bits,
   * decimal. Null for others.
   */
  @Column({ name: 'cancelled_mask', type: 'text', nullable: true })
  cancelledMask!: string | null;
}
