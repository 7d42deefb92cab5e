import type { AgentStatus } from '../agents/agent.entity.js';

/** What decides whether an agent may be hired for a task. */
export interface Candidate {
  status: AgentStatus;
  /** As time has it now (agents/agent.lifecycle.ts). */
  available: boolean;
  accountId: string;
  walletAddress: string;
  /** Capabilities of the agent that the task asks for. */
  matchedCapabilities: readonly string[];
  /** Relevance of the agent's texts to the task's, at least 0. */
  relevance: number;
}

/** Who hires. */
export interface MatchBuyer {
  accountId: string;
  walletAddress: string;
}

/**
 * The hard filters of design/ranking.md §4.4: the agent works now, is not the buyer under another name, and has
 * something to do with the task. (Agents declare no minimum price, so no price is above a budget.)
 */
export function isEligible(candidate: Candidate, buyer: MatchBuyer): boolean {
  const works = candidate.status === 'active' && candidate.available;
  const isBuyer = candidate.accountId === buyer.accountId || candidate.walletAddress === buyer.walletAddress;
  return works && !isBuyer && (candidate.matchedCapabilities.length > 0 || candidate.relevance > 0);
}
