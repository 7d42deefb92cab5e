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

/** An active agent that takes new work, with its relevance. */
export interface IndexedAgent {
  agentNumber: number;
  relevance: number;
  facts: AgentFacts;
}

type Owner = Pick<AgentFacts, 'accountId' | 'ownerCluster' | 'walletAddress'>;

const FIRST_CAPACITY = 1_024;
/** Numbers of one agent, side by side: live nodes, impressions, score (none without a record) and two more of the record. */
const NUMBERS = 5;

/**
 * What places depend on, by agent number: 44 bytes and the id for each agent, and the texts of its owner once for all of an
 * owner's agents. Plain numbers, since a million objects would be looked through by every collection of garbage.
 */
export class KnownFacts {
  /** Empty for an agent that was never set. */
  private ids = emptyTexts(FIRST_CAPACITY);
  private ownerNumbers = new Uint32Array(FIRST_CAPACITY);
  private numbers = new Float64Array(FIRST_CAPACITY * NUMBERS);
  private readonly owners: Owner[] = [];
  private readonly numbersOfOwners = new Map<string, number>();

  /** Of the arrays of numbers; texts come in addition. */
  get bytes(): number {
    return this.ownerNumbers.byteLength + this.numbers.byteLength;
  }

  set(agent: number, facts: AgentFacts): void {
    if (agent >= this.ownerNumbers.length) this.grow(agent + 1);
    const { agentId, liveNodes, impressions, reputation } = facts;
    this.ids[agent] = agentId;
    this.ownerNumbers[agent] = this.numberOf(facts);
    const { score = Number.NaN, independenceConfidence = 0, independentSettlements = 0 } = reputation ?? {};
    this.numbers.set([liveNodes, impressions, score, independenceConfidence, independentSettlements], agent * NUMBERS);
  }

  /** Undefined for an agent that was never set. */
  of(agent: number): AgentFacts | undefined {
    const agentId = this.ids[agent] ?? '';
    const owner = this.owners[this.ownerNumbers[agent] ?? 0];
    if (agentId === '' || owner === undefined) return undefined;
    const { numbers } = this;
    const from = agent * NUMBERS;
    const liveNodes = numbers[from] ?? 0;
    const impressions = numbers[from + 1] ?? 0;
    const score = numbers[from + 2] ?? Number.NaN;
    const independenceConfidence = numbers[from + 3] ?? 0;
    const independentSettlements = numbers[from + 4] ?? 0;
    const reputation = Number.isNaN(score) ? null : { score, independenceConfidence, independentSettlements };
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
    this.numbers = new Float64Array(capacity * NUMBERS);
    this.numbers.set(numbers);
  }
}

function emptyTexts(length: number): string[] {
  return Array.from({ length }, () => '');
}
