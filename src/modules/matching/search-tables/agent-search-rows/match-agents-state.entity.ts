import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the rows of `match_agents` have followed; one row. */
@Entity('match_agents_state')
export class MatchAgentsStateEntity {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** A `pg_snapshot`: the changes that it sees are in the rows. Null: the rows were never filled. */
  @Column({ type: 'text', nullable: true })
  applied!: string | null;
}
