import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A tree whose newest facts are in the index and not yet in what is shown of its task: it waits its turn, or could not be
 * projected and is set aside. What is shown of it is what was shown before.
 */
@Entity('unpublished_trees')
@Index('unpublished_trees_retry_at_idx', ['retryAt', 'taskId'])
@Index('unpublished_trees_block_number_idx', ['blockNumber'], { where: 'attempts = 0 AND NOT is_apart' })
export class UnpublishedTreeEntity {
  /** No foreign key: facts without a task are a fault that this table is there to hold. */
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  /** A block at or below the first of those facts. */
  @Column({ name: 'block_number', type: 'integer' })
  blockNumber!: number;

  /** True when it is published by itself, beside the others: it is large, or was set aside before. */
  @Column({ name: 'is_apart', type: 'boolean' })
  isApart!: boolean;

  /** Of the transaction that marked it: whoever publishes takes away only the mark that was seen before the facts. */
  @Column({ type: 'bigint', default: 1 })
  version!: string;

  /** Failed attempts to project it; 0 while it only waits. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Why the last attempt failed, in one line; null while it only waits. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'retry_at', type: 'timestamptz', precision: 3 })
  retryAt!: Date;

  /** Since when what is shown of the task lags behind its facts. */
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
