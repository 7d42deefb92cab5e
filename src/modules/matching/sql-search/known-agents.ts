import type { Candidate } from '../ranking/candidate-source.js';

/** One kind of found agents, of which the first `limit` that may be hired are wanted. */
export interface WantedAgents {
  /** Returns the best `count` agents, best first, or all when there are fewer. */
  first: (count: number) => readonly number[];
  limit: number;
}

/**
 * Factor by which more agents are read than wanted: one in six may be unavailable or refused without a second read.
 * (policy)
 */
const MARGIN = 1.2;
/** Greatest factor by which a further read grows. (policy) */
const MOST_TIMES = 8;
/** Agents read by one statement, enough for those of the similar briefs; more are split over two concurrent ones. (policy) */
const ASKED_TOGETHER = 150;

/** Reads agents for one ranking: each at most once, and only as many as needed. */
export class KnownAgents {
  /** The agents that may be hired, of those read. */
  private readonly hirable = new Map<number, Candidate>();
  private readonly asked = new Set<number>();
  private asking: Promise<unknown> = Promise.resolve();

  /** @param read reads agents and returns those that may be hired, in any order. */
  constructor(private readonly read: (numbers: readonly number[]) => Promise<Candidate[]>) {}

  /**
   * Returns the first hireable agents of each kind, each agent once, in no order. The kinds are processed concurrently.
   */
  async firstOf(kinds: readonly (WantedAgents | Promise<WantedAgents>)[]): Promise<Candidate[]> {
    const found = await Promise.all(kinds.map(async (kind) => this.first(await kind)));
    return [...new Set(found.flat())];
  }

  /**
   * Reads further agents while too few may be hired. The next number is estimated from the share that may be hired so
   * far.
   */
  private async first({ first, limit }: WantedAgents): Promise<Candidate[]> {
    for (let count = Math.ceil(limit * MARGIN); ;) {
      const numbers = first(count);
      await this.ask(numbers);
      const found = numbers.flatMap((number) => this.hirable.get(number) ?? []);
      if (found.length >= limit || numbers.length < count) return found.slice(0, limit);
      count = Math.ceil((count * limit * MARGIN) / Math.max(found.length, limit / MOST_TIMES));
    }
  }

  /**
   * Reads agents that were not read before, sorted by number, so that the rows of one statement are close together in
   * tables and indexes.
   */
  private async ask(numbers: readonly number[]): Promise<void> {
    const unknown = [...new Set(numbers)].filter((number) => !this.asked.has(number)).sort((a, b) => a - b);
    for (const number of unknown) this.asked.add(number);
    const half = unknown.length > ASKED_TOGETHER ? Math.ceil(unknown.length / 2) : unknown.length;
    const parts = [unknown.slice(0, half), unknown.slice(half)].filter(({ length }) => length > 0);
    // Waits for earlier reads as well, because another kind may have requested some of the agents without an answer
    // yet.
    this.asking = Promise.all([this.asking, ...parts.map((part) => this.keep(part))]);
    await this.asking;
  }

  private async keep(numbers: readonly number[]): Promise<void> {
    for (const candidate of await this.read(numbers)) this.hirable.set(candidate.agentNumber, candidate);
  }
}
