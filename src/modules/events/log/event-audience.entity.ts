import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Who may read an event, as frozen when it was recorded: one row for each account, or one row in the name of `public`.
 * What a list filters by is here too, so that every list is a range of one of these indexes. Divided as `events`.
 */
@Entity('event_audience')
@Index('event_audience_account_id_type_sequence_idx', ['accountId', 'type', 'sequence'])
@Index('event_audience_account_id_task_id_sequence_idx', { synchronize: false })
@Index('event_audience_sequence_idx', ['sequence'])
export class EventAudienceEntity {
  /** Id of an account, or `public`. */
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  @PrimaryColumn({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'task_id', type: 'text', nullable: true })
  taskId!: string | null;
}
