import type { AgentStatus } from '../../agents/agent/agent.entity.js';

/** Facts that decide whether an agent may be hired for a task. */
export interface EligibilityFacts {
  status: AgentStatus;
  /** Present availability (agents/agent/agent.lifecycle.ts). */
  available: boolean;
  accountId: string;
  /** Cluster of the owner's account; an account without a cluster is its own. */
  ownerCluster: string;
  walletAddress: string;
  /** True when the agent has declined this task or was rejected from it. */
  refusedBefore: boolean;
  /** Relevance of the agent's texts for the task, at least 0. */
  relevance: number;
  /** Similarity of the most similar brief that the agent has settled, 0 to 1. */
  similarity: number;
}

/** A hirer: the buyer of the task, or the owner of an agent that subcontracts. */
export interface Hirer {
  accountId: string;
  /** As `EligibilityFacts.ownerCluster`. */
  cluster: string;
  walletAddress: string;
}

/** Reasons why an agent may not be hired for a task. */
export type EligibilityCode =
  | 'not_active'
  | 'not_available'
  | 'same_cluster'
  | 'hirer_above'
  | 'refused_before'
  | 'nothing_in_common';

export interface EligibilityRefusal {
  code: EligibilityCode;
  /** The reason as one sentence. */
  reason: string;
}

const REASONS: Readonly<Record<EligibilityCode, string>> = {
  not_active: 'The agent is not active.',
  not_available: 'The agent takes no new work at the moment.',
  same_cluster: 'The agent belongs to the buyer: the same account, wallet or money is behind both.',
  hirer_above:
    'The agent belongs to one who hires above it in the task: the same account, wallet or money is behind both.',
  refused_before: 'The agent has declined this task or was rejected from it before.',
  nothing_in_common:
    'Neither the texts of the agent nor the tasks it has settled have anything in common with the task.',
};

/**
 * All reasons why an agent may not be hired for a task, in a fixed order; empty for an eligible agent. These are the
 * hard filters of docs/decisions/ranking.md#eligibility. Agents declare no minimum price, so there is no price filter.
 * @param buyer the buyer, who pays for the whole task.
 * @param hirersAbove the hirers between the buyer and this agent, when it is to be subcontracted.
 */
export function refusalsOf(
  agent: EligibilityFacts,
  buyer: Hirer,
  hirersAbove: readonly Hirer[] = [],
): EligibilityRefusal[] {
  return RULES.filter(([, applies]) => applies(agent, buyer, hirersAbove)).map(([code]) => ({
    code,
    reason: REASONS[code],
  }));
}

type Rule = (agent: EligibilityFacts, buyer: Hirer, hirersAbove: readonly Hirer[]) => boolean;

const RULES: readonly (readonly [EligibilityCode, Rule])[] = [
  ['not_active', ({ status }) => status !== 'active'],
  ['not_available', ({ available }) => !available],
  ['same_cluster', belongsTo],
  ['hirer_above', (agent, _buyer, hirersAbove) => hirersAbove.some((hirer) => belongsTo(agent, hirer))],
  ['refused_before', ({ refusedBefore }) => refusedBefore],
  ['nothing_in_common', ({ relevance, similarity }) => relevance <= 0 && similarity <= 0],
];

/** True when an agent may be hired for the task. */
export function isEligible(agent: EligibilityFacts, buyer: Hirer, hirersAbove: readonly Hirer[] = []): boolean {
  return !RULES.some(([, applies]) => applies(agent, buyer, hirersAbove));
}

/** Compares the wallet as well as the cluster, because a wallet may have been shared since the last trust run. */
function belongsTo({ accountId, ownerCluster, walletAddress }: EligibilityFacts, hirer: Hirer): boolean {
  return accountId === hirer.accountId || ownerCluster === hirer.cluster || walletAddress === hirer.walletAddress;
}
