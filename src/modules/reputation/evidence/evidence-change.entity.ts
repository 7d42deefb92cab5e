import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An agent whose evidence changed after what the last finished trust run had read. */
@Entity('evidence_changes')
@Index('evidence_changes_rebuilt_idx', ['agentId'], { where: 'must_rebuild' })
@Index('evidence_changes_record_due_idx', ['agentId'], { where: 'is_record_due' })
export class EvidenceChangeEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** True: no evidence was written for its settlements yet; all of them are to be counted. */
  @Column({ name: 'must_rebuild', type: 'boolean' })
  mustRebuild!: boolean;

  /** True: its record is not made of its evidence yet, because the index had much to catch up with. */
  @Column({ name: 'is_record_due', type: 'boolean', default: false })
  isRecordDue!: boolean;

  /** Transaction that noted it last: a run has seen what its snapshot shows of it. Decimal text. */
  @Column({ name: 'transaction_id', type: 'bigint' })
  transactionId!: string;
}
