import type { RankedReputation } from '../rank.js';

/** What the index keeps of an agent beside its words and its availability. */
export interface AgentFacts {
  agentId: string;
  accountId: string;
  ownerCluster: string;
  walletAddress: string;
  liveNodes: number;
  /** For whatever task. */
  impressions: number;
  reputation: RankedReputation | null;
}

/** An active agent that takes new work, and what makes it a candidate. */
export interface IndexedAgent {
  agentNumber: number;
  relevance: number;
  /** Product of weights of the most similar brief that it has settled; 0 without any. */
  dot: number;
  facts: AgentFacts;
}

type Owner = Pick<AgentFacts, 'accountId' | 'ownerCluster' | 'walletAddress'>;

const FIRST_CAPACITY = 1_024;
/** Numbers of one agent, side by side: live nodes, impressions, score (none without a record) and two more of the record. */
export const FACT_NUMBERS = 5;

type NumberFacts = Pick<AgentFacts, 'liveNodes' | 'impressions' | 'reputation'>;

/** Writes the numbers of an agent side by side, from `at` on. */
export function putNumbers(
  numbers: Float64Array,
  at: number,
  { liveNodes, impressions, reputation }: NumberFacts,
): void {
  numbers[at] = liveNodes;
  numbers[at + 1] = impressions;
  numbers[at + 2] = reputation?.score ?? Number.NaN;
  numbers[at + 3] = reputation?.independenceConfidence ?? 0;
  numbers[at + 4] = reputation?.independentSettlements ?? 0;
}

/** What `putNumbers` has written. */
export function numbersAt(numbers: Float64Array, at: number): NumberFacts {
  const liveNodes = numbers[at] ?? 0;
  const impressions = numbers[at + 1] ?? 0;
  const score = numbers[at + 2] ?? Number.NaN;
  if (Number.isNaN(score)) return { liveNodes, impressions, reputation: null };
  const independenceConfidence = numbers[at + 3] ?? 0;
  const independentSettlements = numbers[at + 4] ?? 0;
  return { liveNodes, impressions, reputation: { score, independenceConfidence, independentSettlements } };
}

/**
 * What places depend on, by agent number: 44 bytes and the id for each agent, and the texts of its owner once for all of an
 * owner's agents. Plain numbers, since a million objects would be looked through by every collection of garbage.
 */
export class KnownFacts {
  /** Empty for an agent that was never set. */
  private ids = emptyTexts(FIRST_CAPACITY);
  private ownerNumbers = new Uint32Array(FIRST_CAPACITY);
  private numbers = new Float64Array(FIRST_CAPACITY * FACT_NUMBERS);
  private readonly owners: Owner[] = [];
  private readonly numbersOfOwners = new Map<string, number>();

  /** Of the arrays of numbers; texts come in addition. */
  get bytes(): number {
    return this.ownerNumbers.byteLength + this.numbers.byteLength;
  }

  set(agent: number, facts: AgentFacts): void {
    if (agent >= this.ownerNumbers.length) this.grow(agent + 1);
    this.ids[agent] = facts.agentId;
    this.ownerNumbers[agent] = this.numberOf(facts);
    putNumbers(this.numbers, agent * FACT_NUMBERS, facts);
  }

  /** Undefined for an agent that was never set. */
  of(agent: number): AgentFacts | undefined {
    const agentId = this.ids[agent] ?? '';
    const owner = this.owners[this.ownerNumbers[agent] ?? 0];
    if (agentId === '' || owner === undefined) return undefined;
    const { liveNodes, impressions, reputation } = numbersAt(this.numbers, agent * FACT_NUMBERS);
    const { accountId, ownerCluster, walletAddress } = owner;
    return { agentId, accountId, ownerCluster, walletAddress, liveNodes, impressions, reputation };
  }

  private numberOf({ accountId, ownerCluster, walletAddress }: Owner): number {
    const key = `${accountId} ${ownerCluster} ${walletAddress}`;
    const known = this.numbersOfOwners.get(key);
    if (known !== undefined) return known;
    this.numbersOfOwners.set(key, this.owners.length);
    return this.owners.push({ accountId, ownerCluster, walletAddress }) - 1;
  }

  private grow(least: number): void {
    const { ids, ownerNumbers, numbers } = this;
    const capacity = Math.max(least, 2 * ownerNumbers.length);
    this.ids = [...ids, ...emptyTexts(capacity - ids.length)];
    this.ownerNumbers = new Uint32Array(capacity);
    this.ownerNumbers.set(ownerNumbers);
    this.numbers = new Float64Array(capacity * FACT_NUMBERS);
    this.numbers.set(numbers);
  }
}

function emptyTexts(length: number): string[] {
  return Array.from({ length }, () => '');
}
