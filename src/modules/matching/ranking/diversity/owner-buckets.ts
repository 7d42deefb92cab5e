import { MaxSegmentTree } from '#libs/text-search';

/** Stands for no entry. */
export const NONE = -1;

/** Numbers the owners from 0, so that their names are compared only once. */
export function ownerNumbersOf(agents: readonly { ownerCluster: string }[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(agents, ({ ownerCluster }) => {
    const number = numbers.get(ownerCluster) ?? numbers.size;
    if (number === numbers.size) numbers.set(ownerCluster, number);
    return number;
  });
}

/**
 * Entries 0 to n - 1, each with a value, in one queue per owner with lower entries first. Only the first `width`
 * entries of a queue are visible. Any entry may leave its queue. No operation takes more than logarithmic time.
 */
export class OwnerBuckets {
  private readonly heads: Int32Array;
  private readonly ahead: Int32Array;
  private readonly behind: Int32Array;
  private readonly inSight: MaxSegmentTree;

  /**
   * @param owners owner of each entry, a number below `ownerCount`.
   * @param values value of each entry.
   * @param width number of visible entries per queue.
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

  /** The lowest visible entry with a value of at least `least`, or `NONE`. */
  first(least: number): number {
    return this.inSight.first(least);
  }

  /** The next entry in the same queue, or `NONE`. */
  next(entry: number): number {
    return this.behind[entry] ?? NONE;
  }

  /** Makes the first entries of an owner's queue visible. */
  show(owner: number): void {
    let entry = this.heads[owner] ?? NONE;
    for (let count = 0; count < this.width && entry !== NONE; count += 1) {
      this.inSight.set(entry, this.values[entry] ?? 0);
      entry = this.next(entry);
    }
  }

  /** Hides an entry until `show` is called for its queue. */
  hide(entry: number): void {
    this.inSight.set(entry, Number.NEGATIVE_INFINITY);
  }

  /** Hides an owner's queue until `show` is called for it. */
  hideAll(owner: number): void {
    let entry = this.heads[owner] ?? NONE;
    for (let count = 0; count < this.width && entry !== NONE; count += 1) {
      this.hide(entry);
      entry = this.next(entry);
    }
  }

  /** Removes an entry from its queue; the entries after it move up. */
  leave(entry: number): void {
    const owner = this.ownerOf(entry);
    this.hide(entry);
    this.link(owner, this.ahead[entry] ?? NONE, this.next(entry));
    this.show(owner);
  }

  /** Puts the entry that left its queue last back into its former place. */
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

  /**
   * Links two consecutive entries of a queue. With `NONE` ahead, the other entry becomes the first; with `NONE` behind,
   * the last.
   */
  private link(owner: number, ahead: number, behind: number): void {
    if (ahead === NONE) this.heads[owner] = behind;
    else this.behind[ahead] = behind;
    if (behind !== NONE) this.ahead[behind] = ahead;
  }
}
