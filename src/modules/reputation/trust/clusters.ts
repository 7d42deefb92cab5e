import { IdInterner } from './id-interner.js';

/**
 * Groups accounts of the same person by a union-find. The smallest account id names a cluster, so that the same facts
 * give the same names in any order. rule: docs/decisions/ranking.md#score
 */
export class Clusters {
  private readonly accounts = new IdInterner();
  private readonly parents: number[] = [];
  private readonly holders = new Map<string, number>();

  /** Puts two accounts into one cluster. */
  join(account: string, other: string): void {
    this.unite(this.numberOf(account), this.numberOf(other));
  }

  /** Puts the account into one cluster with every other account that was joined by the same wallet. */
  joinByWallet(account: string, wallet: string): void {
    const number = this.numberOf(account);
    const holder = this.holders.get(wallet);
    if (holder === undefined) this.holders.set(wallet, number);
    else this.unite(holder, number);
  }

  /** Name of the account's cluster, its smallest account id; the account itself when it was never joined. */
  clusterOf(account: string): string {
    const number = this.accounts.find(account);
    return number === undefined ? account : this.accounts.nameOf(this.rootOf(number));
  }

  /** Every account whose cluster has another name than the account. */
  *merged(): Generator<{ account: string; cluster: string }> {
    for (let number = 0; number < this.parents.length; number += 1) {
      const root = this.rootOf(number);
      if (root !== number) yield { account: this.accounts.nameOf(number), cluster: this.accounts.nameOf(root) };
    }
  }

  private numberOf(account: string): number {
    const number = this.accounts.numberOf(account);
    if (number === this.parents.length) this.parents.push(number);
    return number;
  }

  private unite(one: number, other: number): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    const [first, second] = this.accounts.nameOf(a) < this.accounts.nameOf(b) ? [a, b] : [b, a];
    this.parents[second] = first;
  }

  /** The root of a tree. Halves the path on the way, which keeps later paths short. */
  private rootOf(number: number): number {
    let current = number;
    for (;;) {
      const parent = this.parents[current] ?? current;
      if (parent === current) return current;
      const next = this.parents[parent] ?? parent;
      this.parents[current] = next;
      current = next;
    }
  }
}
