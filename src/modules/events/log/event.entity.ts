import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One event in its place in the log. The table is divided by `sequence` (event-partitions.ts), and no row of it changes.
 */
@Entity('events')
@Index('events_id_idx', ['id'])
export class EventEntity {
  /** Position in the log. It orders events and counts nothing (docs/decisions/events.md#sequence). */
  @PrimaryColumn({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'text' })
  id!: string;

  /** The event as API JSON, without its sequence, which is not known yet when it is recorded. */
  @Column({ type: 'text' })
  document!: string;
}
