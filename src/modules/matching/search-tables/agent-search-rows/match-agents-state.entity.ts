import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Up to which changes the rows of `match_agents` are updated; one row. */
@Entity('match_agents_state')
export class MatchAgentsStateEntity {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** A `pg_snapshot`; all changes visible to it are in the rows. Null: the rows were never filled. */
  @Column({ type: 'text', nullable: true })
  applied!: string | null;
}
