const FIRST_CAPACITY = 1024;

/** Money that went from buyers to workers, as columns of typed arrays; principals are dense numbers. */
export class Payments {
  private payers: Uint32Array;
  private workers: Uint32Array;
  private amounts: Float64Array;
  private count = 0;

  /** `capacity` is only a hint: the columns grow. */
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
   * Adds what one principal paid another, or the sum of several payments; any order will do.
   * @param amount base units; sums are exact up to 2^53 base units (9 billion USDC) between two principals.
   */
  add(payer: number, worker: number, amount: number): void {
    if (this.count === this.payers.length) this.grow();
    this.payers[this.count] = payer;
    this.workers[this.count] = worker;
    this.amounts[this.count] = amount;
    this.count += 1;
  }

  /** The columns, each of `length` entries; views that the next `add` may leave behind. */
  columns(): { payers: Uint32Array; workers: Uint32Array; amounts: Float64Array } {
    return {
      payers: this.payers.subarray(0, this.count),
      workers: this.workers.subarray(0, this.count),
      amounts: this.amounts.subarray(0, this.count),
    };
  }

  /** Gives every principal another number, in place: `places` holds the new one of each (see `IdInterner.sorted`). */
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
