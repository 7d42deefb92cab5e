import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of tasks on whose first page of matches an agent was shown to the buyer. */
@Entity('agent_impressions')
export class AgentImpressionsEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ type: 'integer' })
  impressions!: number;
}
