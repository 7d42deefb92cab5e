import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/**
 * Sum of the buyers' evidence about an agent with many buyers, each weighed by its independence of the last finished
 * run (score.ts, BuyerSums). Settlements update it, and every run rewrites it.
 */
@Entity('buyer_sums')
export class BuyerSumsEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  @Column({ name: 'career_good', ...baseUnits })
  careerGood!: bigint;

  @Column({ name: 'career_bad', ...baseUnits })
  careerBad!: bigint;

  @Column({ name: 'recent_good', ...baseUnits })
  recentGood!: bigint;

  @Column({ name: 'recent_bad', ...baseUnits })
  recentBad!: bigint;

  @Column({ name: 'independent_units', ...baseUnits })
  independentUnits!: bigint;

  @Column({ name: 'all_units', ...baseUnits })
  allUnits!: bigint;

  @Column({ name: 'settled_value', ...baseUnits })
  settledValue!: bigint;

  @Column({ name: 'independent_value', ...baseUnits })
  independentValue!: bigint;

  @Column({ type: 'integer' })
  settlements!: number;

  @Column({ type: 'integer' })
  buyers!: number;

  @Column({ name: 'independent_buyers', type: 'integer' })
  independentBuyers!: number;

  @Column({ name: 'pending_buyers', type: 'integer' })
  pendingBuyers!: number;
}
