import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { ApiError } from '../../platform/http/api-error.js';
import { MoneyDto } from '../../platform/http/input/money.dto.js';
import { Clock } from '../../platform/time/clock.js';
import { AGENT_REPUTATION, type AgentReputationRow } from './agent-reputation.sql.js';
import type { AgentReputationDto, OutcomeCountDto } from './dto/agent-reputation.dto.js';
import { CAREER_HALF_LIFE_DAYS, PRIOR_MEAN, RECENT_HALF_LIFE_DAYS } from './score/reputation-constants.js';
import { summaryOf } from './reputation-summary.js';

/** Reads one agent's reputation with its evidence. Every authenticated caller may read it. */
@Injectable()
export class AgentReputationService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the reputation; for an agent without ended work, the prior without evidence. @throws ApiError `not_found`.
   */
  async get(agentId: string): Promise<AgentReputationDto> {
    const { name, text } = AGENT_REPUTATION;
    const [row] = await this.reads.query<AgentReputationRow>(name, text, [agentId]);
    if (!row) throw new ApiError('not_found', 'There is no such agent.');
    return reputationOf(row, this.clock.now());
  }
}

function reputationOf(row: AgentReputationRow, now: Date): AgentReputationDto {
  const facts = {
    score: Number(row.score ?? PRIOR_MEAN),
    careerScore: Number(row.career_score ?? PRIOR_MEAN),
    recentScore: Number(row.recent_score ?? PRIOR_MEAN),
    settledValue: BigInt(row.settled_value ?? 0),
    independentValue: BigInt(row.independent_value ?? 0),
    settlements: Number(row.settlements ?? 0),
    buyers: Number(row.buyers ?? 0),
    independentBuyers: Number(row.independent_buyers ?? 0),
    pendingBuyers: Number(row.pending_buyers ?? 0),
    anchored: Number(row.anchors) > 0,
  };
  return {
    agent_id: row.agent_id,
    score: facts.score,
    career_score: facts.careerScore,
    recent_score: facts.recentScore,
    independence_confidence: Number(row.independence_confidence ?? 0),
    settled_value: MoneyDto.from(facts.settledValue),
    independent_value: MoneyDto.from(facts.independentValue),
    settlements: facts.settlements,
    outcomes: outcomesIn(row.outcomes),
    buyers: { count: facts.buyers, independent: facts.independentBuyers, pending: facts.pendingBuyers },
    half_lives_days: { career: CAREER_HALF_LIFE_DAYS, recent: RECENT_HALF_LIFE_DAYS },
    protection: facts.anchored ? 'anchored' : 'unanchored',
    summary: summaryOf(facts),
    as_of: row.as_of ?? now.toISOString(),
    ...(row.updated_at === null ? {} : { updated_at: row.updated_at }),
  };
}

function outcomesIn(json: string): OutcomeCountDto[] {
  const rows: unknown = JSON.parse(json);
  if (!Array.isArray(rows)) throw new TypeError('Not a list of outcomes');
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || !('outcome' in row) || !('count' in row)) {
      throw new TypeError('Not the count of an outcome');
    }
    return { outcome: String(row.outcome), count: Number(row.count) };
  });
}
