import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/read-connections.js';
import { Clock } from '../../platform/time/clock.js';
import { searchableText } from '../agents/agent-text.js';
import { textsOf } from '../agents/json-texts.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { type CandidateRow, candidatesStatement } from './candidates.sql.js';
import type { MatchRow } from './dto/match.dto.js';
import { type Candidate, isEligible } from './eligibility.js';
import { LIVE_MATCHES } from './match-page.sql.js';
import type { RankedAgent } from './match-snapshot.entity.js';
import { type MatchComponents, rank } from './rank.js';

/** Rows of a ranking. rule: design/ranking.md §4.5 */
export const MAX_RANKED = 1_000;

/** A place in a ranking, and whose agent it is. */
export interface RankedMatch extends RankedAgent {
  ownerAccountId: string;
}

type RankedTask = Pick<TaskEntity, 'title' | 'brief' | 'criteria' | 'buyerAccountId' | 'buyerWallet'>;

/** Which agents a task is for: all of it is behind `rankAgents`. What is on the market changes with time alone. */
@Injectable()
export class AgentRanking {
  constructor(
    private readonly reads: ReadConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * The eligible agents for a task, the best first, at most `limit` of them: those whose texts are most relevant by
   * Postgres full text, ordered by the blend of design/ranking.md §4.4.
   */
  async rankAgents(task: RankedTask, limit: number): Promise<RankedMatch[]> {
    const { name, text } = candidatesStatement(limit);
    const rest = [task.brief, ...task.criteria].join('\n');
    const rows = await this.reads.query<CandidateRow>(name, text, [
      searchableText(task.title ?? ''),
      searchableText(rest),
      task.buyerAccountId,
      task.buyerWallet,
      this.clock.now().toISOString(),
    ]);
    const buyer = { accountId: task.buyerAccountId, walletAddress: task.buyerWallet };
    const eligible = rows.map(candidateOf).filter((candidate) => isEligible(candidate, buyer));
    const owners = new Map(eligible.map(({ agentId, accountId }) => [agentId, accountId]));
    return rank(eligible).map((match) => ({ ...match, ownerAccountId: owners.get(match.agent_id) ?? '' }));
  }

  /**
   * Rows of a ranking with their agents as they are now.
   * @param json JSON array of `RankedAgent`.
   */
  showAgents(json: string): Promise<MatchRow[]> {
    return this.reads.query<MatchRow>(LIVE_MATCHES.name, LIVE_MATCHES.text, [json, this.clock.now().toISOString()]);
  }
}

function candidateOf(row: CandidateRow): Candidate & MatchComponents {
  return {
    agentId: row.id,
    accountId: row.account_id,
    walletAddress: row.wallet_address,
    status: row.status,
    available: row.available === 'true',
    relevance: Number(row.relevance),
    matchedCapabilities: textsOf(row.matched_capabilities),
    reputation: recordOf(row),
    liveNodes: Number(row.live_nodes),
  };
}

function recordOf({ score, independence_confidence, settled_value }: CandidateRow): MatchComponents['reputation'] {
  if (score === null || independence_confidence === null || settled_value === null) return null;
  return {
    score: Number(score),
    independenceConfidence: Number(independence_confidence),
    settledValue: BigInt(settled_value),
  };
}
