import type { SettledAgents } from '../../search-tables/settled-briefs/settled-agents.js';
import type { DocumentSum } from '#libs/text-search';

/** A settlement of a brief. It shows that the agent can do the work, unless the agent paid itself. */
export interface PaidWork {
  agentNumber: number;
  /** Principals who paid and who worked, as named by `principalOf`. */
  payer: string;
  worker: string;
}

/** The clusters of principals, and the independent ones among them, by the last trust run. */
export interface Principals {
  /** Cluster of each principal that shares one. */
  clusters: ReadonlyMap<string, string>;
  /** Clusters of independent buyers. */
  independent: readonly string[];
}

const FIRST_CAPACITY = 1_024;
/** Numbers per settlement: agent, payer and worker. */
const WIDTH = 3;

/**
 * Which agents settled which briefs, and who paid. Gives the same answers as `settledAgents`
 * (settled-briefs/settled-agents.ts) without the database. Takes 12 bytes per settlement, and the id of each principal
 * once.
 */
export class SettledWork {
  /** Numbers of principals and clusters, counted from 0. */
  private readonly numbers = new Map<string, number>();
  private clusters: ReadonlyMap<number, number> = new Map();
  private independent: ReadonlySet<number> = new Set();
  /** Lists of settlements: the count, then the numbers of each settlement. Entry 0 belongs to no brief. */
  private rows = new Uint32Array(FIRST_CAPACITY);
  private size = 1;
  /** Entries of `rows` that present lists occupy. */
  private used = 0;
  /** Position of each brief's list in `rows`; 0 without one. */
  private begins = new Uint32Array(FIRST_CAPACITY);

  get bytes(): number {
    return this.rows.byteLength + this.begins.byteLength;
  }

  /** Replaces the settlements of a brief. */
  set(brief: number, work: readonly PaidWork[]): void {
    if (brief >= this.begins.length) this.begins = grown(this.begins, brief + 1);
    const known = this.begins[brief] ?? 0;
    const before = this.rows[known] ?? 0;
    this.used += roomOf(work.length) - roomOf(before);
    const begin = work.length <= before ? known : this.take(roomOf(work.length));
    this.begins[brief] = work.length === 0 ? 0 : begin;
    this.rows[begin] = work.length;
    let at = begin + 1;
    for (const { agentNumber, payer, worker } of work) {
      this.rows[at] = agentNumber;
      this.rows[at + 1] = this.numberOf(payer);
      this.rows[at + 2] = this.numberOf(worker);
      at += WIDTH;
    }
    // A longer list is written to a new place. Compacting here keeps the abandoned places from exceeding the present
    // lists.
    if (this.size > FIRST_CAPACITY + 2 * this.used) this.closeGaps();
  }

  /** Replaces the clusters and the independent principals of the previous run. */
  replacePrincipals({ clusters, independent }: Principals): void {
    this.clusters = new Map([...clusters].map(([id, cluster]) => [this.numberOf(id), this.numberOf(cluster)]));
    this.independent = new Set(independent.map((cluster) => this.numberOf(cluster)));
  }

  /**
   * The agents that have settled these briefs, by their most similar brief, the most similar first; ties by the lowest
   * agent number.
   * @param alike briefs with their dot products.
   * @param anchored true: only settlements paid by independent buyers count.
   */
  settledAgents(alike: readonly DocumentSum[], anchored: boolean): SettledAgents {
    const { rows } = this;
    const dots = new Map<number, number>();
    for (const { document, sum } of alike) {
      const { first, end } = this.placesOf(document);
      for (let at = first; at < end; at += WIDTH) {
        const agent = rows[at] ?? 0;
        if (this.counts(at, anchored)) dots.set(agent, Math.max(sum, dots.get(agent) ?? 0));
      }
    }
    return new Map([...dots].sort(([a, x], [b, y]) => y - x || a - b));
  }

  /** True when a settlement of the brief counts for its agent. @param anchored as for `settledAgents`. */
  hasCounted(brief: number, anchored: boolean): boolean {
    const { first, end } = this.placesOf(brief);
    for (let at = first; at < end; at += WIDTH) if (this.counts(at, anchored)) return true;
    return false;
  }

  /** Where the settlements of a brief are in `rows`. */
  private placesOf(brief: number): { first: number; end: number } {
    const begin = this.begins[brief] ?? 0;
    return { first: begin + 1, end: begin + 1 + (this.rows[begin] ?? 0) * WIDTH };
  }

  /**
   * True when a settlement shows that its agent can do the work. rule: docs/decisions/ranking.md#similar-settled-briefs
   */
  private counts(at: number, anchored: boolean): boolean {
    const payer = this.clusterOf(this.rows[at + 1] ?? 0);
    return payer !== this.clusterOf(this.rows[at + 2] ?? 0) && (!anchored || this.independent.has(payer));
  }

  /** The cluster of a principal; the principal itself when it shares none. */
  private clusterOf(principal: number): number {
    return this.clusters.get(principal) ?? principal;
  }

  private numberOf(id: string): number {
    const number = this.numbers.get(id) ?? this.numbers.size;
    this.numbers.set(id, number);
    return number;
  }

  /** @returns position of a new place for `count` numbers. */
  private take(count: number): number {
    const begin = this.size;
    this.size += count;
    if (this.size > this.rows.length) this.rows = grown(this.rows, this.size);
    return begin;
  }

  private closeGaps(): void {
    const { rows, begins } = this;
    this.rows = new Uint32Array(FIRST_CAPACITY + this.used);
    this.size = 1;
    for (const [brief, begin] of begins.entries()) {
      if (begin === 0) continue;
      const list = rows.subarray(begin, begin + roomOf(rows[begin] ?? 0));
      const at = this.take(list.length);
      this.rows.set(list, at);
      begins[brief] = at;
    }
  }
}

/** Entries that a list of this many settlements occupies; an empty list occupies none. */
function roomOf(settlements: number): number {
  return settlements === 0 ? 0 : 1 + settlements * WIDTH;
}

function grown(numbers: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(Math.max(least, 2 * numbers.length));
  more.set(numbers);
  return more;
}
