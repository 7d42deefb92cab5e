import { Column, Entity, PrimaryColumn } from 'typeorm';

/** On the first pages of how many tasks an agent was shown to their buyers. */
@Entity('agent_impressions')
export class AgentImpressionsEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ type: 'integer' })
  impressions!: number;
}
