import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Up to which event of the log the owners of matching agents were told of opened tasks; one row. */
@Entity('told_matches')
@Check('told_matches_id_check', 'id = 1')
export class ToldMatchesEntity {
  @PrimaryColumn({ type: 'smallint', default: 1, primaryKeyConstraintName: 'told_matches_pkey' })
  id!: number;

  /** Position in the log of events. */
  @Column({ name: 'told_to', type: 'bigint' })
  toldTo!: string;
}
