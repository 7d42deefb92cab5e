import { backersOf, NodeState, type StoredNode, type TreeLedger, type WireNodeState } from '#libs/contracts';

/** A node as the index has it; money in base units, times in unix seconds. */
export interface IndexedNode {
  readonly number: number;
  /** 0 for a root node. */
  readonly parentNumber: number;
  /** EIP-55. */
  readonly worker: string;
  readonly pool: bigint;
  readonly allocated: bigint;
  readonly deliverBy: number;
  readonly clock: number;
  readonly acceptWindow: number;
  readonly state: WireNodeState;
  readonly outcome: string | null;
  readonly hirerFunded: boolean;
  readonly artifactHash: string | null;
}

/** One task's tree according to the index, at one block. */
export interface IndexedTree {
  readonly taskId: string;
  /** Null when the chain has no fact of the task. */
  readonly books: TreeLedger | null;
  readonly nodes: readonly IndexedNode[];
  /** Sums computed from the stored chain facts; null when these are not the whole history of a tree. */
  readonly facts: {
    readonly books: TreeLedger;
    /** Refundable base units of every account that could have any, zero included (EIP-55). */
    readonly refunds: ReadonlyMap<string, bigint>;
    /** Numbers of nodes that were opened, and whether they were ever funded. */
    readonly opened: ReadonlyMap<number, { readonly isFunded: boolean }>;
  } | null;
}

/** The same tree according to the chain, at the same block. */
export interface ChainTree {
  readonly isDeployed: boolean;
  /** USDC balance of the escrow, base units. */
  readonly balance: bigint;
  /** Nodes by number; null for a node that the contract does not have. */
  readonly nodes: ReadonlyMap<number, StoredNode | null>;
  readonly refunds: ReadonlyMap<string, bigint>;
}

/** One value that differs between index and chain. */
export interface LedgerDifference {
  readonly taskId: string;
  /** `tree`, or the number of a node. */
  readonly where: 'tree' | number;
  readonly what: string;
  readonly index: string;
  readonly chain: string;
}

/** Result of a comparison. */
export interface TreeComparison {
  readonly differences: readonly LedgerDifference[];
  /**
   * Base units that were sent to the escrow directly, not by its functions. They belong to nobody and are no
   * difference.
   */
  readonly surplus: bigint;
}

const ABSENT = 'absent';
const NO_ARTIFACT = `0x${'0'.repeat(64)}`;

/**
 * Compares every unit and every state of one tree (docs/decisions/escrow.md#storage-of-a-node,
 * docs/decisions/escrow.md#money-of-nested-nodes). Pure. `held` is checked against the nodes and `refundable` against
 * the refund balances, because the escrow's token balance also contains tokens that were sent to it directly. `funded`
 * and `paid` are not in the contract's storage, so they are checked against its events.
 */
export function compareTree(indexed: IndexedTree, chain: ChainTree): TreeComparison {
  const comparison = new Comparison(indexed, chain);
  return { differences: comparison.run(), surplus: comparison.surplus };
}

class Comparison {
  surplus = 0n;
  private readonly found: LedgerDifference[] = [];

  constructor(
    private readonly indexed: IndexedTree,
    private readonly chain: ChainTree,
  ) {}

  run(): LedgerDifference[] {
    const { books } = this.indexed;
    const { isDeployed } = this.chain;
    if (books === null || !isDeployed) this.compare('tree', 'escrow', deployed(books !== null), deployed(isDeployed));
    if (books !== null && isDeployed) this.compareBooks(books);
    // Before the escrow exists, its address owes nothing to anybody.
    if (books === null && !isDeployed) this.surplus = this.chain.balance;
    if (isDeployed) this.compareNodes();
    return this.found;
  }

  private compareBooks(books: TreeLedger): void {
    const { facts } = this.indexed;
    this.compare('tree', 'held', books.held, heldIn(this.chain.nodes));
    this.compare('tree', 'funded', books.funded, books.held + books.paid + books.refundable);
    if (facts === null) {
      this.compare('tree', 'facts', 'incomplete', 'complete');
    } else {
      this.compare('tree', 'refundable', books.refundable, sum(this.chain.refunds.values()));
      this.compare('tree', 'funded by its events', books.funded, facts.books.funded);
      this.compare('tree', 'paid by its events', books.paid, facts.books.paid);
      for (const [account, refund] of facts.refunds) {
        this.compare('tree', `refund of ${account}`, refund, this.chain.refunds.get(account) ?? 0n);
      }
    }
    const owed = books.held + books.refundable;
    if (this.chain.balance < owed) this.compare('tree', 'balance', owed, this.chain.balance);
    else this.surplus = this.chain.balance - owed;
  }

  private compareNodes(): void {
    const rows = new Map(this.indexed.nodes.map((node) => [node.number, node]));
    const opened = this.indexed.facts?.opened ?? new Map<number, { isFunded: boolean }>();
    for (const [number, stored] of this.chain.nodes) {
      const row = rows.get(number);
      if (row !== undefined) this.compareNode(row, stored);
      // A node that is only selected, not funded, has no row.
      else if (stored !== null && stored.state !== NodeState.Selected) {
        this.compare(number, 'state', ABSENT, stateName(stored.state));
      } else if (opened.get(number)?.isFunded === true) {
        this.compare(number, 'state', ABSENT, 'funded by its events');
      } else if (stored === null) this.compare(number, 'state', 'selected', ABSENT);
    }
  }

  private compareNode(row: IndexedNode, stored: StoredNode | null): void {
    const { number } = row;
    if (stored === null) {
      this.compare(number, 'state', row.state, ABSENT);
      return;
    }
    this.compare(number, 'state', indexedState(row), stateName(stored.state));
    this.compare(number, 'pool', row.pool, stored.amount);
    this.compare(number, 'allocated', row.allocated, stored.allocated);
    this.compare(number, 'clock', row.clock, stored.clock);
    this.compare(number, 'delivery deadline', row.deliverBy, stored.deliverBy);
    this.compare(number, 'accept window', row.acceptWindow, stored.acceptWindow);
    this.compare(number, 'worker', row.worker, stored.worker);
    this.compare(number, 'parent', row.parentNumber, stored.parent);
    this.compare(number, 'paid by its hirer', row.hirerFunded, stored.hirerFunded);
    this.compare(
      number,
      'artifact',
      (row.artifactHash ?? NO_ARTIFACT).toLowerCase(),
      stored.artifactHash.toLowerCase(),
    );
  }

  private compare<T extends bigint | number | string | boolean>(
    where: LedgerDifference['where'],
    what: string,
    index: T,
    chain: T,
  ): void {
    if (index === chain) return;
    this.found.push({ taskId: this.indexed.taskId, where, what, index: String(index), chain: String(chain) });
  }
}

/**
 * Base units in live nodes or owed to their workers: the unallocated part of every node whose money has not gone back.
 */
function heldIn(stored: ReadonlyMap<number, StoredNode | null>): bigint {
  const nodes = [...stored].flatMap(([number, node]) =>
    node === null || node.state === NodeState.Selected
      ? []
      : [{ ...node, number, parentNumber: node.parent, isGone: node.state > NodeState.Settled }],
  );
  const known = new Set(nodes.map(({ number }) => number));
  const isLive = (node: (typeof nodes)[number]) =>
    !node.isGone && (node.hirerFunded || (known.has(node.parent) && backersOf(nodes, node).every((b) => !b.isGone)));
  return sum(nodes.filter(isLive).map(({ amount, allocated }) => amount - allocated));
}

/** State of a node in the contract's terms: the interface calls both a refund and an abandonment `refunded`. */
function indexedState({ state, outcome }: IndexedNode): string {
  return state === 'refunded' && outcome === 'abandoned' ? 'abandoned' : state;
}

const STATE_NAMES: Readonly<Record<NodeState, string>> = {
  [NodeState.None]: ABSENT,
  [NodeState.Selected]: 'selected',
  [NodeState.Funded]: 'funded',
  [NodeState.Delivered]: 'delivered',
  [NodeState.Rejected]: 'rejected',
  [NodeState.Disputed]: 'disputed',
  [NodeState.Settled]: 'released',
  [NodeState.Refunded]: 'refunded',
  [NodeState.Abandoned]: 'abandoned',
};

function stateName(state: NodeState): string {
  return STATE_NAMES[state];
}

function deployed(is: boolean): string {
  return is ? 'deployed' : ABSENT;
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
