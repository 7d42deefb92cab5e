import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A block the index stands on: every block with facts, and the last one of every range read. */
@Entity('chain_blocks')
export class ChainBlockEntity {
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text' })
  hash!: string;

  @Column({ name: 'parent_hash', type: 'text' })
  parentHash!: string;

  /** Block time. */
  @Column({ type: 'timestamptz', precision: 3 })
  timestamp!: Date;
}
