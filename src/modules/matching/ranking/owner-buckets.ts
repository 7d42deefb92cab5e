import { MaxSegmentTree } from '#libs/text-search';

/** Stands for no entry. */
export const NONE = -1;

/** Owners as numbers from 0, so that their names are compared once. */
export function ownerNumbersOf(agents: readonly { ownerCluster: string }[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(agents, ({ ownerCluster }) => {
    const number = numbers.get(ownerCluster) ?? numbers.size;
    if (number === numbers.size) numbers.set(ownerCluster, number);
    return number;
  });
}

/**
 * Entries 0 to n - 1 with a value each, in one queue per owner, the lower ones ahead. Only the first few of a queue are
 * in sight. Any entry may leave; no operation takes more than logarithmic time.
 */
export class OwnerBuckets {
  private readonly heads: Int32Array;
  private readonly ahead: Int32Array;
  private readonly behind: Int32Array;
  private readonly inSight: MaxSegmentTree;

  /**
   * @param owners by entry: numbers of at most `ownerCount`.
   * @param values by entry.
   * @param width entries of each queue that are in sight.
   */
  constructor(
    private readonly owners: Int32Array,
    ownerCount: number,
    private readonly values: Float64Array,
    private readonly width: number,
  ) {
    this.heads = new Int32Array(ownerCount).fill(NONE);
    this.ahead = new Int32Array(owners.length).fill(NONE);
    this.behind = new Int32Array(owners.length).fill(NONE);
    this.inSight = new MaxSegmentTree(owners.length);
    for (let entry = owners.length - 1; entry >= 0; entry -= 1) {
      const owner = this.ownerOf(entry);
      this.link(owner, entry, this.heads[owner] ?? NONE);
      this.link(owner, NONE, entry);
    }
    for (let owner = 0; owner < ownerCount; owner += 1) this.show(owner);
  }

  /** The lowest entry in sight with a value of at least `least`, or `NONE`. */
  first(least: number): number {
    return this.inSight.first(least);
  }

  /** The entry behind this one, or `NONE`. */
  next(entry: number): number {
    return this.behind[entry] ?? NONE;
  }

  /** Brings the first entries of a queue into sight. */
  show(owner: number): void {
    let entry = this.heads[owner] ?? NONE;
    for (let count = 0; count < this.width && entry !== NONE; count += 1) {
      this.inSight.set(entry, this.values[entry] ?? 0);
      entry = this.next(entry);
    }
  }

  /** Takes an entry out of sight, until its queue is shown. */
  hide(entry: number): void {
    this.inSight.set(entry, Number.NEGATIVE_INFINITY);
  }

  /** Takes a queue out of sight, until it is shown. */
  hideAll(owner: number): void {
    let entry = this.heads[owner] ?? NONE;
    for (let count = 0; count < this.width && entry !== NONE; count += 1) {
      this.hide(entry);
      entry = this.next(entry);
    }
  }

  /** Takes an entry out of its queue, in which the others move up. */
  leave(entry: number): void {
    const owner = this.ownerOf(entry);
    this.hide(entry);
    this.link(owner, this.ahead[entry] ?? NONE, this.next(entry));
    this.show(owner);
  }

  /** Puts the entry that was the last to leave its queue back in its place. */
  comeBack(entry: number): void {
    const owner = this.ownerOf(entry);
    this.hideAll(owner);
    this.link(owner, entry, this.next(entry));
    this.link(owner, this.ahead[entry] ?? NONE, entry);
    this.show(owner);
  }

  ownerOf(entry: number): number {
    return this.owners[entry] ?? NONE;
  }

  /** Lets one entry of a queue follow another; without one of them, the other is the first or the last. */
  private link(owner: number, ahead: number, behind: number): void {
    if (ahead === NONE) this.heads[owner] = behind;
    else this.behind[ahead] = behind;
    if (behind !== NONE) this.ahead[behind] = ahead;
  }
}
