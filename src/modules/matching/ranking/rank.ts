import { PRIOR_MEAN } from '../../reputation/score/reputation-constants.js';
import { BLEND, FULL_LOAD } from '../relevance/matching-constants.js';
import type { Placeable } from './diversity/placeable.js';
import { type Placement, placements } from './reranking.js';
import { similarBriefBonus } from '../relevance/similar-briefs.js';

/** The parts of an agent's record that its place depends on. */
export interface RankedReputation {
  /** In [0, 1]. */
  score: number;
  /** In [0, 1]. */
  independenceConfidence: number;
  /** Settlements, multiplied by the share of settled value that came from independent buyers. */
  independentSettlements: number;
}

/** The values that decide the place of an eligible agent. */
export interface RankingCandidate {
  agentId: string;
  /** Cluster of the owner's account; an account without a cluster is its own. */
  ownerCluster: string;
  /** Sum of `idfOf * impactOf` over the words of the task: an integer, at least 0. */
  relevance: number;
  /** Cosine of the task's brief and the most similar brief that the agent has settled; 0 to 1, 0 without any. */
  similarity: number;
  /** Null for an agent without ended work. */
  reputation: RankedReputation | null;
  /** Nodes that the agent works on now; `FULL_LOAD` is the most that counts. */
  liveNodes: number;
  /** Number of first pages on which a buyer was shown the agent. */
  impressions: number;
}

/** The parts of a score, each in [0, 1]; `BLEND` holds their shares. */
export type ScoreParts = Record<keyof typeof BLEND, number>;

/** An agent with its place. */
export interface RankedCandidate<C> {
  candidate: C;
  /** 1 for the best. */
  rank: number;
  /** In [0, 1], four decimals. */
  score: number;
  parts: ScoreParts;
  /** True for a discovery place, which an agent gets for having no record rather than for its score. */
  isDiscovery: boolean;
}

/**
 * Places eligible agents, best first. The order is by blended score and then by agent id, so it does not depend on the
 * order of the candidates; `placements` then adds newcomers and variety. Places are computed on demand, so the first
 * page need not wait for the others.
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

  /** Returns the first `count` places, or all places when there are fewer. */
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

/** Ranks all candidates and returns the first `limit` places. */
export function rank<C extends RankingCandidate>(candidates: readonly C[], limit: number): RankedCandidate<C>[] {
  return new RankedPlaces(candidates).first(limit);
}

/**
 * Relevance of each candidate compared with the others, in [0, 1]: the relevance of its texts as a share of the best,
 * plus the bonus of its most similar settled brief; then this sum as a share of the best sum.
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
