import { independentSettlementsOf } from '../../../modules/matching/ranking/reputation-row.js';
import { rank, type RankedReputation } from '../../../modules/matching/ranking/rank.js';
import { type BuyerEvidence, evidenceOfBuyer, reputationOf } from '../../../modules/reputation/score/score.js';
import { wilsonBound } from '../reputation/reputation-baselines.js';
import { Seeded } from '../statistics/seeded.js';
import { chanceAmount } from './trade-market.js';

/** How agents are ranked for a buyer. */
export type Ordering = 'Wilson' | 'greedy' | 'one slot';

/**
 * The invented market. In each field of work, half of the agents are there at the start; the others arrive at random
 * times. Seven in ten agents are good. Every task has a different buyer, who is verified.
 */
const MARKET = {
  fields: 20,
  firstAgents: 10,
  newcomers: 10,
  goodShare: 0.7,
  good: [0.9, 1],
  other: [0.5, 0.9],
  days: 730,
} as const;
/** Late newcomers arrive in this part of the time, so that each has at least a fifth of it left. */
const LATE = [0.5, 0.8] as const;
const ENOUGH_JOBS = 5;
const PAGE = 10;
/** Range of an agent's relevance for a task of its field. */
const FIT = [0.5, 1] as const;
const RELEVANCE_STEPS = 100_000;
const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

interface Agent {
  id: string;
  /** Share of its work that is accepted. */
  quality: number;
  /** When it arrives, as a share of the whole time. */
  arrival: number;
  jobs: number;
  successes: number;
  impressions: number;
  evidence: BuyerEvidence[];
  reputation: RankedReputation | null;
}

/** Results of one market. */
export interface MarketOutcome {
  /** Number of good late newcomers; `established` are those with at least 5 jobs. */
  newcomers: number;
  established: number;
  tasks: number;
  successes: number;
}

/** Simulates this many tasks one after the other. The same seed gives the same agents and tasks for every ordering. */
export function playMarket(tasks: number, seed: number, ordering: Ordering): MarketOutcome {
  const chance = new Seeded(seed);
  const fields = Array.from({ length: MARKET.fields }, (_, field) => agentsOf(field, chance));
  let successes = 0;
  for (let number = 0; number < tasks; number += 1) {
    const own = new Seeded(seed * 1_000_003 + number);
    const now = number / tasks;
    const page = pageOf(
      own.pick(fields).filter(({ arrival }) => arrival <= now),
      ordering,
      own,
    );
    for (const agent of page) agent.impressions += 1;
    const chosen = chooseByPlace(page, own);
    const succeeded = own.chance(chosen.quality);
    successes += succeeded ? 1 : 0;
    settle(chosen, succeeded, new Date(START_MS + now * MARKET.days * DAY_MS), ordering, own);
  }
  const late = fields
    .flat()
    .filter(({ quality, arrival }) => quality >= MARKET.good[0] && arrival >= LATE[0] && arrival < LATE[1]);
  return {
    newcomers: late.length,
    established: late.filter(({ jobs }) => jobs >= ENOUGH_JOBS).length,
    tasks,
    successes,
  };
}

function agentsOf(field: number, chance: Seeded): Agent[] {
  return Array.from({ length: MARKET.firstAgents + MARKET.newcomers }, (_, index) => {
    const [low, high] = chance.chance(MARKET.goodShare) ? MARKET.good : MARKET.other;
    return {
      id: `agent_${field}_${index}`,
      quality: chance.between(low, high),
      arrival: index < MARKET.firstAgents ? 0 : chance.next(),
      jobs: 0,
      successes: 0,
      impressions: 0,
      evidence: [],
      reputation: null,
    };
  });
}

/** The ten agents that the buyer sees, by the production ranking; its newcomer slot is used only for `one slot`. */
function pageOf(agents: readonly Agent[], ordering: Ordering, chance: Seeded): Agent[] {
  const candidates = agents.map((agent) => ({
    agent,
    agentId: agent.id,
    ownerCluster: agent.id,
    relevance: Math.round(RELEVANCE_STEPS * chance.between(...FIT)),
    similarity: 0,
    reputation: ordering === 'Wilson' ? (agent.reputation ?? UNKNOWN) : agent.reputation,
    liveNodes: 0,
    impressions: agent.impressions,
  }));
  const ranked = rank(candidates, ordering === 'one slot' ? PAGE : candidates.length);
  if (ordering !== 'one slot')
    ranked.sort((a, b) => b.score - a.score || (a.candidate.agentId < b.candidate.agentId ? -1 : 1));
  return ranked.slice(0, PAGE).map(({ candidate }) => candidate.agent);
}

/** Reputation of an agent without work under `Wilson`: the lower bound is 0. */
const UNKNOWN: RankedReputation = { score: 0, independenceConfidence: 0, independentSettlements: 0 };

/** Picks an agent of the page: the first twice as often as the second, three times as often as the third, and so on. */
function chooseByPlace(page: readonly Agent[], chance: Seeded): Agent {
  const weights = page.map((_, place) => 1 / (place + 1));
  let goal = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (goal -= weight) < 0);
  const chosen = page[place === -1 ? page.length - 1 : place];
  if (!chosen) throw new RangeError('Every field has agents from the start');
  return chosen;
}

function settle(agent: Agent, succeeded: boolean, settledAt: Date, ordering: Ordering, chance: Seeded): void {
  const amount = BigInt(chanceAmount(chance));
  const released = succeeded ? amount : 0n;
  const work = evidenceOfBuyer([
    { amount, released, outcome: succeeded ? 'accepted' : 'rejection_final', settledAt, isPresentWallet: true },
  ]);
  agent.evidence.push({ ...work, independence: 1, netValue: released });
  agent.jobs += 1;
  agent.successes += succeeded ? 1 : 0;
  const reputation = reputationOf(agent.evidence, settledAt, true);
  agent.reputation = {
    score: ordering === 'Wilson' ? wilsonBound(agent.successes, agent.jobs) : reputation.score,
    independenceConfidence: reputation.independenceConfidence,
    independentSettlements: independentSettlementsOf(reputation),
  };
}
