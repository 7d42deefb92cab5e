import { IdInterner } from './id-interner.js';

/**
 * Accounts that one person stands behind, as far as wallets tell: a union-find, in which the smallest account id names
 * a cluster, so that the same facts give the same names in whatever order they come.
 * rule: docs/decisions/ranking.md#score
 */
export class Clusters {
  private readonly accounts = new IdInterner();
  private readonly parents: number[] = [];
  private readonly holders = new Map<string, number>();

  /** Two accounts are one principal. */
  join(account: string, other: string): void {
    this.unite(this.numberOf(account), this.numberOf(other));
  }

  /** The account has this wallet, or is paid at it: it is one with every other account of which the same is said. */
  joinByWallet(account: string, wallet: string): void {
    const number = this.numberOf(account);
    const holder = this.holders.get(wallet);
    if (holder === undefined) this.holders.set(wallet, number);
    else this.unite(holder, number);
  }

  /** The smallest account id of the account's cluster; itself when nothing is known of it. */
  clusterOf(account: string): string {
    const number = this.accounts.find(account);
    return number === undefined ? account : this.accounts.nameOf(this.rootOf(number));
  }

  /** Every account that is in a cluster of another name. */
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

  /** Halves the path on its way, which keeps every later one short. */
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
