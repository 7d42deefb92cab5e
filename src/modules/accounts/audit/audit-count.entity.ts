import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often one kind of event came from one source in one hour, also where not each of them has a row of its own. */
@Entity('audit_counts')
export class AuditCountEntity {
  /** Its beginning. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour!: Date;

  @PrimaryColumn({ type: 'text' })
  event!: string;

  /** The client's network, `elsewhere` for all networks beyond the first hundred, or the account that it is about. */
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
