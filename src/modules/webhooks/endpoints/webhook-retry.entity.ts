import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An event that an endpoint did not take, or is to get again. */
@Entity('webhook_retries')
@ForeignKey('webhook_endpoints', ['endpointId'], ['id'], {
  name: 'webhook_retries_endpoint_id_fkey',
  onDelete: 'CASCADE',
})
@Index('webhook_retries_waiting_idx', { synchronize: false })
@Index('webhook_retries_given_up_idx', { synchronize: false })
export class WebhookRetryEntity {
  @PrimaryColumn({ name: 'endpoint_id', type: 'text' })
  endpointId!: string;

  @PrimaryColumn({ type: 'bigint' })
  sequence!: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId!: string;

  /** How often it was sent; 0 where it is to be replayed. */
  @Column({ type: 'integer' })
  tries!: number;

  /** Null: it is sent no more unless somebody asks for it. */
  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;

  /** When it failed first, or when its replay was asked for. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}
