import { PRIOR_MEAN } from '../../reputation/score/reputation-constants.js';
import { BLEND, FULL_LOAD } from '../relevance/matching-constants.js';
import type { Placeable } from './placeable.js';
import { type Placement, placements } from './reranking.js';
import { similarBriefBonus } from '../relevance/similar-briefs.js';

/** An agent's record, as far as its place depends on it. */
export interface RankedReputation {
  /** In [0, 1]. */
  score: number;
  /** In [0, 1]. */
  independenceConfidence: number;
  /** Settlements by the share of the settled value that came from independent buyers. */
  independentSettlements: number;
}

/** What an eligible agent's place depends on. */
export interface RankingCandidate {
  agentId: string;
  /** Cluster of the owner's account; an account that no cluster names is its own. */
  ownerCluster: string;
  /** Sum of `idfOf * impactOf` over the words of the task: an integer, at least 0. */
  relevance: number;
  /** Cosine of the task's brief and the most similar one that the agent has settled; 0 to 1, 0 without any. */
  similarity: number;
  /** Null for an agent without ended work. */
  reputation: RankedReputation | null;
  /** Nodes that the agent works on now; more than `FULL_LOAD` count as that. */
  liveNodes: number;
  /** Times that the agent was on a first page that its buyer was shown. */
  impressions: number;
}

/** The parts of a score, each in [0, 1]; `BLEND` holds their shares. */
export type ScoreParts = Record<keyof typeof BLEND, number>;

/** An agent on its place. */
export interface RankedCandidate<C> {
  candidate: C;
  /** 1 for the best. */
  rank: number;
  /** In [0, 1], four decimals. */
  score: number;
  parts: ScoreParts;
  /** True where the place is given for having no record rather than for the score. */
  isDiscovery: boolean;
}

/**
 * Eligible agents on their places, the best first. The order is by blended score, equal ones by agent id, so it is
 * total and does not depend on the order of the candidates; then `placements` puts newcomers and variety in. Places are
 * made as far as they are asked for: who shows the first need not wait for the others.
 */
export class RankedPlaces<C extends RankingCandidate> {
  private readonly made: RankedCandidate<C>[] = [];
  private readonly further: Generator<Placement<Scored<C>>, void>;

  constructor(candidates: readonly C[]) {
    const relevances = relevanceShares(candidates);
    const scored = candidates
      .map((candidate, index) => scoredOf(candidate, relevances[index] ?? 0))
      .sort((a, b) => b.score - a.score || (a.agentId < b.agentId ? -1 : 1));
    this.further = placements(scored);
  }

  /** So many of them; fewer when there are no more. */
  first(count: number): RankedCandidate<C>[] {
    while (this.made.length < count) {
      const { value } = this.further.next();
      if (value === undefined) break;
      const { agent, isDiscovery } = value;
      const { candidate, score, parts } = agent;
      this.made.push({ candidate, rank: this.made.length + 1, score, parts, isDiscovery });
    }
    return this.made.slice(0, count);
  }
}

/** The first of these agents, at most `limit`, on the places that they have among all. */
export function rank<C extends RankingCandidate>(candidates: readonly C[], limit: number): RankedCandidate<C>[] {
  return new RankedPlaces(candidates).first(limit);
}

/**
 * How relevant each candidate is beside the others, in [0, 1]: relevance of its texts as a share of the best, plus the
 * bonus of the most similar brief that it has settled; the sum again as a share of the best sum. Orders as the sum does.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export function relevanceShares(candidates: readonly Pick<RankingCandidate, 'relevance' | 'similarity'>[]): number[] {
  const bestText = candidates.reduce((best, { relevance }) => Math.max(best, relevance), 0);
  const sums = candidates.map(
    ({ relevance, similarity }) => (bestText > 0 ? relevance / bestText : 0) + similarBriefBonus(similarity),
  );
  const bestSum = sums.reduce((best, sum) => Math.max(best, sum), 0);
  return sums.map((sum) => (bestSum > 0 ? sum / bestSum : 0));
}

interface Scored<C> extends Placeable {
  candidate: C;
  score: number;
  parts: ScoreParts;
}

function scoredOf<C extends RankingCandidate>(candidate: C, relevance: number): Scored<C> {
  const { agentId, ownerCluster, reputation, liveNodes, impressions } = candidate;
  const parts: ScoreParts = {
    relevance,
    score: reputation?.score ?? PRIOR_MEAN,
    independence: reputation?.independenceConfidence ?? 0,
    // Agents declare no minimum price, so every budget fits every agent.
    priceFit: 1,
    idle: 1 - Math.min(liveNodes, FULL_LOAD) / FULL_LOAD,
  };
  return {
    candidate,
    agentId,
    ownerCluster,
    relevance,
    independentSettlements: reputation?.independentSettlements ?? 0,
    impressions,
    parts,
    score: blend(parts),
  };
}

function blend(parts: ScoreParts): number {
  const total =
    BLEND.relevance * parts.relevance +
    BLEND.score * parts.score +
    BLEND.independence * parts.independence +
    BLEND.priceFit * parts.priceFit +
    BLEND.idle * parts.idle;
  return Math.round(total * 10_000) / 10_000;
}
