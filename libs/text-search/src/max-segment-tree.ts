/**
 * A tree of maxima over numbered values, which finds the first value that is great enough. A change and a search each
 * take at most as many steps as the count has binary digits.
 */
export class MaxSegmentTree {
  private readonly width: number;
  /** Node 1 is the root; the children of node n are 2n and 2n + 1; the last `width` nodes are the values. */
  private readonly maxima: Float64Array;

  /** All values are −∞. */
  constructor(count: number) {
    this.width = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
    this.maxima = new Float64Array(2 * this.width).fill(Number.NEGATIVE_INFINITY);
  }

  set(index: number, value: number): void {
    let node = this.width + index;
    let maximum = value;
    while (node >= 1 && this.at(node) !== maximum) {
      this.maxima[node] = maximum;
      maximum = Math.max(maximum, this.at(node ^ 1));
      node >>= 1;
    }
  }

  /** The lowest index whose value is at least `least`, which must be finite; −1 when there is none. */
  first(least: number): number {
    if (this.at(1) < least) return -1;
    let node = 1;
    while (node < this.width) node = this.at(2 * node) >= least ? 2 * node : 2 * node + 1;
    return node - this.width;
  }

  private at(node: number): number {
    return this.maxima[node] ?? Number.NEGATIVE_INFINITY;
  }
}
