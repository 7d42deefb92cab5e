import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A tree whose newest facts are indexed and not published yet: it waits its turn, or it could not be projected and is set
 * aside. Until it is published, its task shows the earlier state.
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

  /** Id of the transaction that marked it: who publishes removes only the version that was read before the facts. */
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

  /** Since when the task shows less than its facts. */
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
