import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An agent whose evidence changed after what the last finished trust run had read. */
@Entity('evidence_changes')
@Index('evidence_changes_seq_idx', ['seq'])
export class EvidenceChangeEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** In the order of commits, from the sequence `evidence_changes_seq`. Decimal text. */
  @Column({ type: 'bigint' })
  seq!: string;

  /** True: no evidence was written for its settlements yet; all of them are to be counted. */
  @Column({ name: 'must_rebuild', type: 'boolean' })
  mustRebuild!: boolean;
}
