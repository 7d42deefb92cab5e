import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of the log; one row. Whoever appends to the log holds its lock, which makes one writer of any number. */
@Entity('event_head')
export class EventHeadEntity {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** Greatest sequence in the log; 0 while it was always empty. */
  @Column({ type: 'bigint', default: 0 })
  last!: string;
}
