import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A word of a listed agent, and the agent's rank among all agents with this word. A trigger on `agents` maintains these
 * rows in the transaction that changes the agent.
 */
@Entity('agent_words')
export class AgentWordEntity {
  /** A lexeme of the agent's `search`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_words_pkey' })
  word!: string;

  /** How well a search for the word alone finds the agent, the higher the better. */
  @PrimaryColumn({ type: 'real', primaryKeyConstraintName: 'agent_words_pkey' })
  rank!: number;

  @PrimaryColumn({ name: 'agent_number', type: 'integer', primaryKeyConstraintName: 'agent_words_pkey' })
  agentNumber!: number;
}
