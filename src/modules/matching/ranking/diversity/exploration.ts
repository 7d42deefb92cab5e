import { DISCOVERY_RELEVANCE, ESTABLISHED_SETTLEMENTS, MAX_PER_OWNER } from '../../relevance/matching-constants.js';
import { NONE, OwnerBuckets } from './owner-buckets.js';
import type { Placeable } from './placeable.js';

/**
 * Chooses newcomers, the agents without a record, for discovery places: the least shown first, then the most relevant,
 * then by id.
 */
export class Newcomers {
  /** Index of each newcomer among all agents, in this order; `entries` maps back from index to entry. */
  private readonly indices: Int32Array;
  private readonly entries: Int32Array;
  private readonly waiting: OwnerBuckets;

  /** @param owners by index. */
  constructor(
    private readonly ordered: readonly Placeable[],
    private readonly owners: Int32Array,
    ownerCount: number,
  ) {
    const shown = impressionsByOwner(ordered, owners, ownerCount);
    const found = ordered
      .map((agent, index) => ({ agent, index, shown: shown[owners[index] ?? NONE] ?? 0 }))
      .filter(({ agent }) => agent.independentSettlements < ESTABLISHED_SETTLEMENTS)
      .sort(
        (a, b) =>
          a.shown - b.shown || b.agent.relevance - a.agent.relevance || (a.agent.agentId < b.agent.agentId ? -1 : 1),
      );
    this.indices = Int32Array.from(found, ({ index }) => index);
    this.entries = new Int32Array(ordered.length).fill(NONE);
    for (const [entry, { index }] of found.entries()) this.entries[index] = entry;
    // All agents of an owner have the same impression count, so the first of them is the most relevant one.
    this.waiting = new OwnerBuckets(
      this.indices.map((index) => owners[index] ?? NONE),
      ownerCount,
      Float64Array.from(found, ({ agent }) => agent.relevance),
      1,
    );
  }

  /**
   * Returns the newcomer that replaces the last agent of a full window and gets its discovery place, or `NONE`. All
   * agents placed by this window leave the queue of newcomers.
   * @param ten indices of the window's agents, best first.
   */
  insteadOfLast(ten: readonly number[]): number {
    const last = ten.at(-1) ?? NONE;
    for (const index of ten) this.leave(index);
    const least = DISCOVERY_RELEVANCE * (this.ordered[last]?.relevance ?? 0);
    const found = this.firstOf(least, this.ownersWithoutRoom(ten.slice(0, -1)));
    if (found === NONE) return NONE;
    const returning = this.entries[last] ?? NONE;
    if (returning !== NONE) this.waiting.comeBack(returning);
    this.leave(found);
    return found;
  }

  /** The first newcomer with at least this relevance, except those of these owners. */
  private firstOf(least: number, passedOver: readonly number[]): number {
    for (const owner of passedOver) this.waiting.hideAll(owner);
    const entry = this.waiting.first(least);
    for (const owner of passedOver) this.waiting.show(owner);
    return this.indices[entry] ?? NONE;
  }

  /** Owners who already have their maximum of places in the window. */
  private ownersWithoutRoom(staying: readonly number[]): number[] {
    const counts = new Map<number, number>();
    for (const index of staying) {
      const owner = this.owners[index] ?? NONE;
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    return [...counts].flatMap(([owner, count]) => (count < MAX_PER_OWNER ? [] : [owner]));
  }

  private leave(index: number): void {
    const entry = this.entries[index] ?? NONE;
    if (entry !== NONE) this.waiting.leave(entry);
  }
}

/** Sums impressions over all agents of an owner, so that publishing another agent does not restart the count. */
function impressionsByOwner(agents: readonly Placeable[], owners: Int32Array, ownerCount: number): Float64Array {
  const shown = new Float64Array(ownerCount);
  for (const [index, { impressions }] of agents.entries()) {
    const owner = owners[index] ?? NONE;
    shown[owner] = (shown[owner] ?? 0) + impressions;
  }
  return shown;
}
