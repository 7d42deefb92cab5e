/**
 * Repeatable random numbers from a seed: xoshiro128** with its state from splitmix32. For measurements, never for
 * secrets.
 */
export class Seeded {
  private readonly state: Uint32Array;
  private spare: number | null = null;

  constructor(seed: number) {
    let mixed = seed >>> 0;
    this.state = Uint32Array.from({ length: 4 }, () => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let z = mixed;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    });
  }

  /** Uniform over [0, 1), with 32 bits. */
  next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.state;
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    this.state[0] = a ^ fourth;
    this.state[1] = b ^ third;
    this.state[2] = third ^ (b << 9);
    this.state[3] = rotate(fourth, 11);
    return result / 2 ** 32;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Uniform over [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Over [low, high), with a uniform logarithm. */
  betweenLogs(low: number, high: number): number {
    return Math.exp(this.between(Math.log(low), Math.log(high)));
  }

  /** Normal with mean 0 and standard deviation 1 (polar method). */
  normal(): number {
    if (this.spare !== null) {
      const kept = this.spare;
      this.spare = null;
      return kept;
    }
    for (;;) {
      const [x, y] = [this.between(-1, 1), this.between(-1, 1)];
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.spare = y * scale;
      return x * scale;
    }
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from');
    return item;
  }

  /** `count` different items in random order; all items when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items];
    const taken: T[] = [];
    while (taken.length < count && rest.length > 0) {
      const place = this.below(rest.length);
      const last = rest.length - 1;
      const [item, end] = [rest[place], rest[last]];
      if (item === undefined || end === undefined) break;
      taken.push(item);
      rest[place] = end;
      rest.pop();
    }
    return taken;
  }
}

function rotate(value: number, bits: number): number {
  return ((value << bits) | (value >>> (32 - bits))) >>> 0;
}
