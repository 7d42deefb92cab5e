import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A word of an agent that may be listed, and its place among those who have the word. A trigger on `agents` keeps these
 * rows, in the transaction that changes the agent.
 */
@Entity('agent_words')
export class AgentWordEntity {
  /** As the agent's `search` has it. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_words_pkey' })
  word!: string;

  /** How well a search for the word alone finds the agent, the higher the better. */
  @PrimaryColumn({ type: 'real', primaryKeyConstraintName: 'agent_words_pkey' })
  rank!: number;

  @PrimaryColumn({ name: 'agent_number', type: 'integer', primaryKeyConstraintName: 'agent_words_pkey' })
  agentNumber!: number;
}
