import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A window counter of rate-limiter-flexible. UNLOGGED in SQL: losing it in a crash only opens a new window. */
@Entity('rate_limits')
export class RateLimitEntity {
  @PrimaryColumn({ type: 'varchar', length: 255 })
  key!: string;

  @Column({ type: 'integer', default: 0 })
  points!: number;

  /** Milliseconds since the epoch. */
  @Column({ type: 'bigint', nullable: true })
  expire!: string | null;
}
