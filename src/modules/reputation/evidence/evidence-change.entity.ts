import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An agent whose evidence has changed since the last finished trust run read it. */
@Entity('evidence_changes')
@Index('evidence_changes_rebuilt_idx', ['agentId'], { where: 'must_rebuild' })
@Index('evidence_changes_record_due_idx', ['agentId'], { where: 'is_record_due' })
export class EvidenceChangeEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** True: the agent's evidence must be recounted from all its settlements. */
  @Column({ name: 'must_rebuild', type: 'boolean' })
  mustRebuild!: boolean;

  /** True: the agent's record is not refreshed yet, because the index was catching up. */
  @Column({ name: 'is_record_due', type: 'boolean', default: false })
  isRecordDue!: boolean;

  /**
   * Transaction of the latest change, decimal text. A run has read the change when its snapshot shows this transaction.
   */
  @Column({ name: 'transaction_id', type: 'bigint' })
  transactionId!: string;
}
