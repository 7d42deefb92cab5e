import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Number of events of one kind from one source in one hour. Events that have no row in audit_events are counted, too.
 */
@Entity('audit_counts')
@Index('audit_counts_source_idx', ['source'])
export class AuditCountEntity {
  /** Beginning of the hour. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour!: Date;

  @PrimaryColumn({ type: 'text' })
  event!: string;

  /** The client's network, `elsewhere` for all networks beyond the first hundred, or the id of the account. */
  @PrimaryColumn({ type: 'text' })
  source!: string;

  @Column({ type: 'bigint' })
  count!: string;

  @Column({ name: 'first_at', type: 'timestamptz', precision: 3 })
  firstAt!: Date;

  @Column({ name: 'last_at', type: 'timestamptz', precision: 3 })
  lastAt!: Date;

  @Column({ name: 'last_request_id', type: 'text', nullable: true })
  lastRequestId!: string | null;

  @Column({ name: 'last_detail', type: 'jsonb' })
  lastDetail!: Record<string, unknown>;
}
