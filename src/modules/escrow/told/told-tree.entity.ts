import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How much of a tree events have told. It outlives what is derived from the facts, so that an index that is made again
 * tells nothing twice.
 */
@Entity('told_trees')
export class ToldTreeEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  /** Every fact up to this block was told. */
  @Column({ name: 'block_number', type: 'integer' })
  blockNumber!: number;

  /** The newest rollback of the index (`chain_rollbacks`) that was known then; 0 for none. */
  @Column({ name: 'rollback_id', type: 'bigint' })
  rollbackId!: string;
}
