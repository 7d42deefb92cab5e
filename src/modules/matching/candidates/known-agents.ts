import type { Candidate } from './candidate-source.js';

/** Agents of one kind, of which the first that may be hired are wanted. */
export interface WantedAgents {
  /** So many of them, the best first; fewer when there are no more. */
  first: (count: number) => readonly number[];
  limit: number;
}

/** More agents are asked about than are wanted: of six one may be away or refused without a second look. (policy) */
const MARGIN = 1.2;
/** As many times more are asked about at most. (policy) */
const MOST_TIMES = 8;
/** Agents asked about in one statement; more are spread over two, which run beside each other. (policy) */
const ASKED_TOGETHER = 100;

/** Agents that were asked about for one ranking: each once, and no more of them than it takes. */
export class KnownAgents {
  /** Null for an agent that may not be hired. */
  private readonly known = new Map<number, Candidate | null>();

  /** @param read those of these agents that may be hired, in any order. */
  constructor(private readonly read: (numbers: readonly number[]) => Promise<Candidate[]>) {}

  /**
   * The first of each kind that may be hired, each agent once, in no order. While a kind has too few, it is asked about as
   * many as that takes if the others are like those that are known.
   */
  async firstOf(kinds: readonly WantedAgents[]): Promise<Candidate[]> {
    const lots = kinds.map(({ first, limit }) => {
      const count = Math.ceil(limit * MARGIN);
      return { first, limit, count, numbers: first(count) };
    });
    await this.ask(lots.flatMap(({ numbers }) => numbers));
    const candidates = new Set<Candidate>();
    for (const { first, limit, ...lot } of lots) {
      let { count, numbers } = lot;
      let found = this.hirable(numbers);
      while (found.length < limit && numbers.length === count) {
        count = Math.ceil((count * limit * MARGIN) / Math.max(found.length, limit / MOST_TIMES));
        numbers = first(count);
        await this.ask(numbers);
        found = this.hirable(numbers);
      }
      for (const candidate of found.slice(0, limit)) candidates.add(candidate);
    }
    return [...candidates];
  }

  private hirable(numbers: readonly number[]): Candidate[] {
    return numbers.flatMap((number) => this.known.get(number) ?? []);
  }

  /** In order of their numbers, so that those of one statement lie near each other in tables and indexes. */
  private async ask(numbers: readonly number[]): Promise<void> {
    const unknown = [...new Set(numbers)].filter((number) => !this.known.has(number)).sort((a, b) => a - b);
    const half = unknown.length > ASKED_TOGETHER ? Math.ceil(unknown.length / 2) : unknown.length;
    const parts = [unknown.slice(0, half), unknown.slice(half)].filter(({ length }) => length > 0);
    const found = await Promise.all(parts.map((part) => this.read(part)));
    for (const number of unknown) this.known.set(number, null);
    for (const candidate of found.flat()) this.known.set(candidate.agentNumber, candidate);
  }
}
