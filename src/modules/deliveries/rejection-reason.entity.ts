import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The reason text of a prepared rejection; shown only when the chain has a rejection with its hash. */
@Entity('rejection_reasons')
export class RejectionReasonEntity {
  /** No foreign key: nodes are rebuilt from the chain, and the text must outlive that. */
  @PrimaryColumn({ name: 'node_id', type: 'text' })
  nodeId!: string;

  /** SHA-256 of the UTF-8 bytes of the text, 0x-hex; the hirer signs this hash. */
  @PrimaryColumn({ name: 'reason_hash', type: 'text' })
  reasonHash!: string;

  @Column({ type: 'text' })
  reason!: string;
}
