import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { ReputationRecordEntity } from './reputation-record.entity.js';
import { reputationOf } from './score.js';
import { SettlementEntity } from './settlement.entity.js';

/** Keeps reputation records equal to what the settlements say. */
@Injectable()
export class ReputationService {
  /**
   * Recomputes the records of these agents from the settlements table, in the caller's transaction. An agent without
   * settlements has no record. The seam of the whole formula is `reputationOf`.
   *
   * A record is taken as of the agent's newest settlement, not as of the clock: it follows from chain facts alone, so
   * an index that is rebuilt, or rewound by a reorganisation, arrives at the same record.
   */
  async recompute(manager: EntityManager, agentIds: readonly string[]): Promise<void> {
    const ids = [...new Set(agentIds)].sort();
    if (ids.length === 0) return;
    const settlements = await manager.find(SettlementEntity, {
      where: { agentId: In(ids) },
      order: { agentId: 'ASC', settledAt: 'ASC', nodeId: 'ASC' },
    });
    const records = [...byAgent(settlements)].map(([agentId, own]) => recordOf(agentId, own));
    const bare = ids.filter((id) => !records.some(({ agentId }) => agentId === id));
    if (bare.length > 0) await manager.delete(ReputationRecordEntity, { agentId: In(bare) });
    if (records.length > 0) await manager.upsert(ReputationRecordEntity, records, ['agentId']);
  }
}

function byAgent(settlements: readonly SettlementEntity[]): Map<string, SettlementEntity[]> {
  const groups = new Map<string, SettlementEntity[]>();
  for (const settlement of settlements) {
    const group = groups.get(settlement.agentId);
    if (group) group.push(settlement);
    else groups.set(settlement.agentId, [settlement]);
  }
  return groups;
}

function recordOf(agentId: string, settlements: readonly SettlementEntity[]): ReputationRecordEntity {
  const updatedAt = settlements.at(-1)?.settledAt;
  if (!updatedAt) throw new RangeError('A record rests on at least one settlement');
  const { score, independenceConfidence, settledValue } = reputationOf(settlements, updatedAt);
  return Object.assign(new ReputationRecordEntity(), {
    agentId,
    score: score.toFixed(4),
    independenceConfidence: independenceConfidence.toFixed(4),
    settledValue,
    updatedAt,
  });
}
