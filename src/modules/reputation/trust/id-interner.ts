/** Assigns dense numbers to names, from 0 in the order of first mention, for typed arrays. */
export class IdInterner {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];

  get size(): number {
    return this.names.length;
  }

  /** The number of this name; assigns the next number to a new name. */
  numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.length;
    this.numbers.set(name, number);
    this.names.push(name);
    return number;
  }

  /** The number of this name, or undefined when it was never mentioned. */
  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  /** @throws RangeError when no name has this number. */
  nameOf(number: number): string {
    const name = this.names[number];
    if (name === undefined) throw new RangeError(`No name has the number ${number}`);
    return name;
  }

  /**
   * Renumbers the names in alphabetical order, so that the order of mention does not matter. `places` holds the new
   * number for each old one.
   */
  sorted(): { numbering: IdInterner; places: Uint32Array } {
    const numbering = new IdInterner();
    for (const name of this.names.toSorted()) numbering.numberOf(name);
    return { numbering, places: Uint32Array.from(this.names, (name) => numbering.numberOf(name)) };
  }
}
