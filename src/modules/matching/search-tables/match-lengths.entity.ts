import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many words the texts of an agent have; a row for every agent that is matched. */
@Entity('match_lengths')
export class MatchLengthsEntity {
  @PrimaryColumn({ name: 'agent_number', type: 'integer' })
  agentNumber!: number;

  @Column({ type: 'smallint' })
  name!: number;

  /** Of capabilities and description together. */
  @Column({ type: 'smallint' })
  rest!: number;
}
