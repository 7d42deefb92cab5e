import type { SettledAgents } from '../../search-tables/settled-briefs/settled-agents.js';
import type { DocumentSum } from '#libs/text-search';

/** A settlement that shows that its agent can do the work, if it was not paid by itself. */
export interface PaidWork {
  agentNumber: number;
  /** Who paid and who worked, as `principalOf` says it. */
  payer: string;
  worker: string;
}

/** Whom the last run found to be one principal, and whom to be independent. */
export interface Principals {
  /** Cluster of each that is not alone. */
  clusters: ReadonlyMap<string, string>;
  /** Clusters of independent buyers. */
  independent: readonly string[];
}

const FIRST_CAPACITY = 1_024;
/** Numbers of a settlement: its agent's, and those of who paid and who worked. */
const WIDTH = 3;

/**
 * Who settled which brief and who paid for it: the same answers as `settledAgents` (settled-briefs/settled-agents.ts), without
 * asking the database. 12 bytes for each settlement, and the id of each principal once.
 */
export class SettledWork {
  /** Principals and clusters, counted from 0. */
  private readonly numbers = new Map<string, number>();
  private clusters: ReadonlyMap<number, number> = new Map();
  private independent: ReadonlySet<number> = new Set();
  /** Lists of settlements: how many, then the numbers of each. The first is of no brief. */
  private rows = new Uint32Array(FIRST_CAPACITY);
  private size = 1;
  /** Of them, what lists of now take. */
  private used = 0;
  /** Where the list of a brief begins; 0 without any. */
  private begins = new Uint32Array(FIRST_CAPACITY);

  get bytes(): number {
    return this.rows.byteLength + this.begins.byteLength;
  }

  /** Puts these in place of what has settled the brief. */
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
    // A longer list is written anew: what lists have left behind never takes more than those of now.
    if (this.size > FIRST_CAPACITY + 2 * this.used) this.closeGaps();
  }

  /** Puts these in place of what runs have found before. */
  know({ clusters, independent }: Principals): void {
    this.clusters = new Map([...clusters].map(([id, cluster]) => [this.numberOf(id), this.numberOf(cluster)]));
    this.independent = new Set(independent.map((cluster) => this.numberOf(cluster)));
  }

  /**
   * Who has settled briefs, the most similar first, of equal ones the lowest number.
   * @param alike briefs with their products of weights.
   * @param anchored whether only what independent buyers paid for counts.
   */
  settledAgents(alike: readonly DocumentSum[], anchored: boolean): SettledAgents {
    const { rows } = this;
    const dots = new Map<number, number>();
    for (const { document, sum } of alike) {
      const begin = this.begins[document] ?? 0;
      const end = begin + 1 + (rows[begin] ?? 0) * WIDTH;
      for (let at = begin + 1; at < end; at += WIDTH) {
        const agent = rows[at] ?? 0;
        if (this.counts(at, anchored)) dots.set(agent, Math.max(sum, dots.get(agent) ?? 0));
      }
    }
    return new Map([...dots].sort(([a, x], [b, y]) => y - x || a - b));
  }

  /**
   * Whether a settlement shows that its agent can do the work. rule: docs/decisions/ranking.md#similar-settled-briefs
   */
  private counts(at: number, anchored: boolean): boolean {
    const payer = this.clusterOf(this.rows[at + 1] ?? 0);
    return payer !== this.clusterOf(this.rows[at + 2] ?? 0) && (!anchored || this.independent.has(payer));
  }

  /** Without another it is its own. */
  private clusterOf(principal: number): number {
    return this.clusters.get(principal) ?? principal;
  }

  private numberOf(id: string): number {
    const number = this.numbers.get(id) ?? this.numbers.size;
    this.numbers.set(id, number);
    return number;
  }

  /** @returns where so many numbers have room. */
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

/** Numbers that a list of so many settlements takes; an empty one takes none. */
function roomOf(settlements: number): number {
  return settlements === 0 ? 0 : 1 + settlements * WIDTH;
}

function grown(numbers: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(Math.max(least, 2 * numbers.length));
  more.set(numbers);
  return more;
}
