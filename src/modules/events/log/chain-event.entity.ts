import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Events that one block has caused in the tree of one task, for one audience, for as long as the chain may replace the
 * block.
 */
@Entity('chain_events')
export class ChainEventEntity {
  @PrimaryColumn({ name: 'block_number', type: 'integer' })
  blockNumber!: number;

  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'block_hash', type: 'text' })
  blockHash!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;

  /** Ids of the accounts that may read them, or `public` alone. */
  @Column({ type: 'text', array: true })
  audience!: string[];

  @Column({ name: 'event_ids', type: 'text', array: true })
  eventIds!: string[];
}
