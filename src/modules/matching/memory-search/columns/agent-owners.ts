import { grownFloats, sharedFloats } from '#libs/text-search';

const FIRST_CAPACITY = 1_024;
/** Numbers per agent: those of its owner's account and of its wallet. */
const WIDTH = 2;
/** Up to this many excluded owners are compared one by one, which is faster than a look into a set. */
const COMPARED = 8;

/** Owners whose agents must not be found, as numbers of `ownerNumber`. */
export type ExcludedOwners = readonly number[] | Set<number>;

/**
 * The account and the wallet of each agent as numbers, 16 bytes for each agent. So a search leaves out all agents of a buyer
 * by a comparison, however many it has; a list of them would have to be read and passed on with every search.
 */
export class AgentOwners {
  private numbers: Float64Array;

  /** @param numbers `shared` of an AgentOwners in another thread; by default a new empty array. */
  constructor(numbers: Float64Array = sharedFloats(FIRST_CAPACITY * WIDTH)) {
    this.numbers = numbers;
  }

  /** The array by which another thread reads this object, until an agent number beyond its end makes a new array. */
  get shared(): Float64Array {
    return this.numbers;
  }

  get bytes(): number {
    return this.numbers.byteLength;
  }

  set(agent: number, accountId: string, walletAddress: string): void {
    const at = agent * WIDTH;
    if (at >= this.numbers.length) this.numbers = grownFloats(this.numbers, at + WIDTH);
    this.numbers[at] = ownerNumber(accountId);
    this.numbers[at + 1] = ownerNumber(walletAddress);
  }

  /** True when the account or the wallet of an agent is excluded. */
  isExcluded(agent: number, owners: ExcludedOwners): boolean {
    const [account, wallet] = [this.numbers[agent * WIDTH] ?? 0, this.numbers[agent * WIDTH + 1] ?? 0];
    if (owners instanceof Set) return owners.has(account) || owners.has(wallet);
    for (const owner of owners) if (owner === account || owner === wallet) return true;
    return false;
  }
}

/** The accounts and wallets of these ids and addresses, to be excluded from a search. */
export function excludedOwners(texts: readonly string[]): ExcludedOwners {
  const numbers = new Set(texts.map(ownerNumber));
  return numbers.size <= COMPARED ? [...numbers] : numbers;
}

/**
 * A number for an account's id or a wallet's address, a hash of 52 bits. By chance it hides one agent of a million from one
 * buyer in two thousand million; a map of the ids themselves would take ten times as much memory as the numbers.
 */
export function ownerNumber(text: string): number {
  let one = 0x9e3779b9;
  let other = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return (other & 0xfffff) * 2 ** 32 + (one >>> 0);
}
