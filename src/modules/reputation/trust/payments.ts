const FIRST_CAPACITY = 1024;

/** Payments from buyers to workers, as columns of typed arrays; principals are dense numbers. */
export class Payments {
  private payers: Uint32Array;
  private workers: Uint32Array;
  private amounts: Float64Array;
  private count = 0;

  /** @param capacity expected number of payments; the columns grow as needed. */
  constructor(capacity = FIRST_CAPACITY) {
    const size = Math.max(1, capacity);
    this.payers = new Uint32Array(size);
    this.workers = new Uint32Array(size);
    this.amounts = new Float64Array(size);
  }

  get length(): number {
    return this.count;
  }

  /**
   * Adds a payment, or the sum of several payments, between two principals, in any order.
   * @param amount base units; sums are exact up to 2^53 base units (9 billion USDC) between two principals.
   */
  add(payer: number, worker: number, amount: number): void {
    if (this.count === this.payers.length) this.grow();
    this.payers[this.count] = payer;
    this.workers[this.count] = worker;
    this.amounts[this.count] = amount;
    this.count += 1;
  }

  /** The columns, each of `length` entries. They are views, which the next `add` may make outdated. */
  columns(): { payers: Uint32Array; workers: Uint32Array; amounts: Float64Array } {
    return {
      payers: this.payers.subarray(0, this.count),
      workers: this.workers.subarray(0, this.count),
      amounts: this.amounts.subarray(0, this.count),
    };
  }

  /** Renumbers all principals in place. @param places the new number for each old one (see `IdInterner.sorted`). */
  renumber(places: Uint32Array): void {
    for (let i = 0; i < this.count; i += 1) {
      this.payers[i] = places[this.payers[i] ?? 0] ?? 0;
      this.workers[i] = places[this.workers[i] ?? 0] ?? 0;
    }
  }

  private grow(): void {
    const size = this.payers.length * 2;
    const [payers, workers, amounts] = [new Uint32Array(size), new Uint32Array(size), new Float64Array(size)];
    payers.set(this.payers);
    workers.set(this.workers);
    amounts.set(this.amounts);
    this.payers = payers;
    this.workers = workers;
    this.amounts = amounts;
  }
}
