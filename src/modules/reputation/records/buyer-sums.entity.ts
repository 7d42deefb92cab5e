import { Column, Entity, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/**
 * What the buyers of an agent with many of them say together, each weighed as the last finished run has found it (score.ts,
 * BuyerSums). Settlements move it, and every run writes it anew.
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
