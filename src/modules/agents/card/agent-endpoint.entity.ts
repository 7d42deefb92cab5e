import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Where an agent speaks A2A itself, as its own card said when the service last looked. */
@Entity('agent_endpoints')
@Index('agent_endpoints_next_look_at_idx', ['nextLookAt'])
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

  /** When the card was last found to name `url`. */
  @Column({ name: 'checked_at', type: 'timestamptz', precision: 3 })
  checkedAt!: Date;

  @Column({ name: 'next_look_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  nextLookAt!: Date;

  /** Looks that have failed since the last that did not. */
  @Column({ type: 'smallint', default: 0 })
  failures!: number;

  /** When the first of them was. */
  @Column({ name: 'failed_since', type: 'timestamptz', precision: 3, nullable: true })
  failedSince!: Date | null;

  /** Since when the agent's card does not show the endpoint, because too many looks have failed. */
  @Column({ name: 'left_out_at', type: 'timestamptz', precision: 3, nullable: true })
  leftOutAt!: Date | null;
}
