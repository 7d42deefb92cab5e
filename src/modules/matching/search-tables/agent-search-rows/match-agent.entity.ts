import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../../platform/database/columns/base-units.column.js';
import type { AgentStatus } from '../../../agents/agent/agent.entity.js';

/**
 * All that an agent's place in a ranking depends on, gathered from the tables that say it: a search looks at hundreds of
 * agents, and one look-up of each takes a third of the time of six. As those tables were when `applied` of
 * `match_agents_state` was taken, or later.
 */
@Entity('match_agents')
export class MatchAgentEntity {
  /** Of the agent, as postings name it. */
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  /** Nodes that it works on, no more than count. */
  @Column({ name: 'live_nodes', type: 'integer' })
  liveNodes!: number;

  /** For whatever task. */
  @Column({ type: 'integer' })
  impressions!: number;

  /** Null, as all that follows from a record, for an agent without one. */
  @Column({ type: 'integer', nullable: true })
  settlements!: number | null;

  @Column({ type: 'boolean' })
  available!: boolean;

  @Column({ name: 'available_until', type: 'timestamptz', precision: 3, nullable: true })
  availableUntil!: Date | null;

  @Column({ type: 'text' })
  status!: AgentStatus;

  @Column({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** Of the account. */
  @Column({ name: 'owner_cluster', type: 'text' })
  ownerCluster!: string;

  @Column({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  @Column({ type: 'numeric', precision: 5, scale: 4, nullable: true })
  score!: string | null;

  @Column({ name: 'independence_confidence', type: 'numeric', precision: 5, scale: 4, nullable: true })
  independenceConfidence!: string | null;

  @Column({ name: 'settled_value', ...baseUnits, nullable: true })
  settledValue!: bigint | null;

  @Column({ name: 'independent_value', ...baseUnits, nullable: true })
  independentValue!: bigint | null;

  /** relevance/packed-postings.ts */
  @Column({ type: 'bytea' })
  postings!: Buffer;
}
