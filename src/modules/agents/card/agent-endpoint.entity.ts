import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Where an agent speaks A2A itself, as its own card said when the service looked. */
@Entity('agent_endpoints')
@ForeignKey('agents', ['agentId'], ['id'], { name: 'agent_endpoints_agent_id_fkey' })
export class AgentEndpointEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ type: 'text' })
  url!: string;

  /** The agent's card that names `url`. Once the agent has another card, the endpoint is not shown any more. */
  @Column({ name: 'card_url', type: 'text' })
  cardUrl!: string;

  @Column({ name: 'protocol_binding', type: 'text' })
  protocolBinding!: string;

  @Column({ name: 'protocol_version', type: 'text' })
  protocolVersion!: string;

  @Column({ name: 'checked_at', type: 'timestamptz', precision: 3 })
  checkedAt!: Date;
}
