import type { AgentStatus } from '../../agents/agent/agent.entity.js';

/** What decides whether an agent may be hired for a task. */
export interface EligibilityFacts {
  status: AgentStatus;
  /** As time has it now (agents/agent/agent.lifecycle.ts). */
  available: boolean;
  accountId: string;
  /** Cluster of the owner's account; an account that no cluster names is its own. */
  ownerCluster: string;
  walletAddress: string;
  /** It has declined this task or was rejected from it. */
  refusedBefore: boolean;
  /** Of the agent's texts to the task's, at least 0. */
  relevance: number;
  /** Of the most similar brief that the agent has settled, 0 to 1. */
  similarity: number;
}

/** One who hires: the buyer of the task, or an agent's owner that subcontracts. */
export interface Hirer {
  accountId: string;
  /** As `EligibilityFacts.ownerCluster`. */
  cluster: string;
  walletAddress: string;
}

/** Why an agent may not be hired for a task. */
export type EligibilityCode =
  'not_active' | 'not_available' | 'same_cluster' | 'hirer_above' | 'refused_before' | 'nothing_in_common';

export interface EligibilityRefusal {
  code: EligibilityCode;
  /** One sentence about it. */
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
 * Everything that keeps an agent from being hired for a task, always in the same order; none for an eligible agent. The
 * hard filters of docs/decisions/ranking.md#eligibility. (Agents declare no minimum price, so no price is above a
 * budget.)
 * @param buyer who pays for the whole task.
 * @param hirersAbove who hires between the buyer and this agent, if it is to be subcontracted.
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

/** True for an agent that nothing keeps from being hired. */
export function isEligible(agent: EligibilityFacts, buyer: Hirer, hirersAbove: readonly Hirer[] = []): boolean {
  return !RULES.some(([, applies]) => applies(agent, buyer, hirersAbove));
}

/** The cluster alone would do, but a wallet may have been shared since clusters were last made. */
function belongsTo({ accountId, ownerCluster, walletAddress }: EligibilityFacts, hirer: Hirer): boolean {
  return accountId === hirer.accountId || ownerCluster === hirer.cluster || walletAddress === hirer.walletAddress;
}
