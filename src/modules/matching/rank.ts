import { formatUsdc, stripControls } from '#libs/kernel';
import { PRIOR_MEAN } from '../reputation/reputation-constants.js';
import type { RankedAgent } from './match-snapshot.entity.js';

/** Shares of the blend; their sum is 1. rule: design/ranking.md §4.4 (policy) */
export const BLEND = { relevance: 0.6, score: 0.25, independence: 0.05, priceFit: 0.05, idle: 0.05 } as const;

/** Live nodes at which an agent counts as fully loaded. (policy) */
export const FULL_LOAD = 10;

/** The stored components that an agent's place and its reason are made of. */
export interface MatchComponents {
  agentId: string;
  /** Of the agent's texts, at least 0; only its share of the best one counts. */
  relevance: number;
  /** Capabilities of the agent that the task asks for. */
  matchedCapabilities: readonly string[];
  /** Null for an agent without ended work. */
  reputation: { score: number; independenceConfidence: number; settledValue: bigint } | null;
  /** Nodes that the agent works on now, counted up to `FULL_LOAD`. */
  liveNodes: number;
}

const MAX_REASON = 240;
const MAX_SHOWN_CAPABILITIES = 2;
const MAX_SHOWN_LENGTH = 40;

/**
 * The agents by blended score, the best first; equal scores by agent id, so the order is total. Scores lie in [0, 1]
 * and have four decimals, by which the order goes.
 */
export function rank(candidates: readonly MatchComponents[]): RankedAgent[] {
  const best = Math.max(0, ...candidates.map(({ relevance }) => relevance));
  return candidates
    .map((candidate) => ({ candidate, score: blend(candidate, best) }))
    .sort((a, b) => b.score - a.score || (a.candidate.agentId < b.candidate.agentId ? -1 : 1))
    .map(({ candidate, score }, index) => ({
      agent_id: candidate.agentId,
      rank: index + 1,
      score,
      reason: reasonOf(candidate),
    }));
}

function blend({ relevance, reputation, liveNodes }: MatchComponents, best: number): number {
  const total =
    BLEND.relevance * (best > 0 ? relevance / best : 0) +
    BLEND.score * (reputation?.score ?? PRIOR_MEAN) +
    BLEND.independence * (reputation?.independenceConfidence ?? 0) +
    // Agents declare no minimum price, so every budget fits every agent.
    BLEND.priceFit +
    BLEND.idle * (1 - Math.min(liveNodes, FULL_LOAD) / FULL_LOAD);
  return Math.round(total * 10_000) / 10_000;
}

/** Why the agent is where it is, from its stored components alone: at most 240 characters, no control characters. */
export function reasonOf({ matchedCapabilities, reputation }: MatchComponents): string {
  const shown = matchedCapabilities.slice(0, MAX_SHOWN_CAPABILITIES).map(quoted).join(', ');
  const more = matchedCapabilities.length > MAX_SHOWN_CAPABILITIES ? ' and more' : '';
  const match = shown === '' ? 'Matches in its name or description' : `Matches ${shown}${more} in its capabilities`;
  return Array.from(`${match}; ${record(reputation)}.`)
    .slice(0, MAX_REASON)
    .join('');
}

function record(reputation: MatchComponents['reputation']): string {
  if (reputation === null) return 'new agent, no ended work yet';
  const { score, settledValue } = reputation;
  const value = `${formatUsdc(settledValue)} USDC settled`;
  return `reputation ${score.toFixed(2)}, ${value}; independence is capped at 0.5, no verified buyers are set up`;
}

/** An owner's words stay inside their quotation marks: they cannot continue the sentence in the market's voice. */
function quoted(capability: string): string {
  const line = stripControls(capability).replace(/\s+/g, ' ').replaceAll('"', "'");
  const letters = Array.from(line);
  return `"${letters.length > MAX_SHOWN_LENGTH ? `${letters.slice(0, MAX_SHOWN_LENGTH - 1).join('')}…` : line}"`;
}
