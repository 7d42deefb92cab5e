import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Numbers of words in an agent's texts; one row for each active agent. */
@Entity('match_lengths')
export class MatchLengthsEntity {
  @PrimaryColumn({ name: 'agent_number', type: 'integer' })
  agentNumber!: number;

  @Column({ type: 'smallint' })
  name!: number;

  /** Words of capabilities and description together. */
  @Column({ type: 'smallint' })
  rest!: number;
}
