import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../../platform/database/columns/base-units.column.js';
import type { AgentStatus } from '../../../agents/agent/agent.entity.js';

/**
 * A copy of all values that decide an agent's place in a ranking, gathered from six tables: a search reads hundreds of
 * agents, and one look-up each takes a third of the time of six. A row is as old as `applied` of `match_agents_state`,
 * or newer.
 */
@Entity('match_agents')
export class MatchAgentEntity {
  /** Number of the agent, as in the postings. */
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  /** Nodes that the agent works on, capped at the number that counts. */
  @Column({ name: 'live_nodes', type: 'integer' })
  liveNodes!: number;

  /** Impressions of the agent, over all tasks. */
  @Column({ type: 'integer' })
  impressions!: number;

  /** Null for an agent without a record, like all other columns of the record. */
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

  /** Cluster of the owner's account. */
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
