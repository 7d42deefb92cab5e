import type { Candidate } from '../ranking/candidate-source.js';

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
  /** Those of them that may be hired. */
  private readonly hirable = new Map<number, Candidate>();
  private readonly asked = new Set<number>();
  private asking: Promise<unknown> = Promise.resolve();

  /** @param read those of these agents that may be hired, in any order. */
  constructor(private readonly read: (numbers: readonly number[]) => Promise<Candidate[]>) {}

  /**
   * The first of each kind that may be hired, each agent once, in no order. No kind waits for another that is still being
   * looked for.
   */
  async firstOf(kinds: readonly (WantedAgents | Promise<WantedAgents>)[]): Promise<Candidate[]> {
    const found = await Promise.all(kinds.map(async (kind) => this.first(await kind)));
    return [...new Set(found.flat())];
  }

  /** While there are too few, as many are asked about as that takes if the others are like those that are known. */
  private async first({ first, limit }: WantedAgents): Promise<Candidate[]> {
    for (let count = Math.ceil(limit * MARGIN); ;) {
      const numbers = first(count);
      await this.ask(numbers);
      const found = numbers.flatMap((number) => this.hirable.get(number) ?? []);
      if (found.length >= limit || numbers.length < count) return found.slice(0, limit);
      count = Math.ceil((count * limit * MARGIN) / Math.max(found.length, limit / MOST_TIMES));
    }
  }

  /** In order of their numbers, so that those of one statement lie near each other in tables and indexes. */
  private async ask(numbers: readonly number[]): Promise<void> {
    const unknown = [...new Set(numbers)].filter((number) => !this.asked.has(number)).sort((a, b) => a - b);
    for (const number of unknown) this.asked.add(number);
    const half = unknown.length > ASKED_TOGETHER ? Math.ceil(unknown.length / 2) : unknown.length;
    const parts = [unknown.slice(0, half), unknown.slice(half)].filter(({ length }) => length > 0);
    // Another kind may have asked for some of them, and have no answer yet.
    this.asking = Promise.all([this.asking, ...parts.map((part) => this.keep(part))]);
    await this.asking;
  }

  private async keep(numbers: readonly number[]): Promise<void> {
    for (const candidate of await this.read(numbers)) this.hirable.set(candidate.agentNumber, candidate);
  }
}
