import { parentPath, pathText } from '#libs/kernel';
import { backersAmong, NodeState, type StoredNode, type TreeLedger, type WireNodeState } from '#libs/contracts';

/** A node as the index has it; money in base units, times in unix seconds. */
export interface IndexedNode {
  readonly path: bigint;
  /** EIP-55. */
  readonly worker: string;
  readonly pool: bigint;
  readonly allocated: bigint;
  readonly floor: bigint;
  readonly version: number;
  readonly revisions: number;
  readonly maxRevisions: number;
  readonly payOut: boolean;
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
    /** Paths of the nodes that were funded. */
    readonly funded: readonly bigint[];
  } | null;
}

/** The same tree according to the chain, at the same block. */
export interface ChainTree {
  readonly isDeployed: boolean;
  /** USDC balance of the escrow, base units. */
  readonly balance: bigint;
  /** Nodes by path; null for a node that the contract does not have. */
  readonly nodes: ReadonlyMap<bigint, StoredNode | null>;
  readonly refunds: ReadonlyMap<string, bigint>;
}

/** One value that differs between index and chain. */
export interface LedgerDifference {
  readonly taskId: string;
  /** `tree`, or the path of a node. */
  readonly where: string;
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
    const rows = new Map(this.indexed.nodes.map((node) => [node.path, node]));
    for (const [path, stored] of this.chain.nodes) {
      const row = rows.get(path);
      const known = stored === null ? 'funded by its events' : stateName(stored.state);
      if (row === undefined) this.compare(pathText(path), 'state', ABSENT, known);
      else this.compareNode(row, stored);
    }
  }

  private compareNode(row: IndexedNode, stored: StoredNode | null): void {
    const where = pathText(row.path);
    if (stored === null) {
      this.compare(where, 'state', row.state, ABSENT);
      return;
    }
    this.compare(where, 'state', indexedState(row), stateName(stored.state));
    this.compare(where, 'pool', row.pool, stored.amount);
    this.compare(where, 'allocated', row.allocated, stored.allocated);
    this.compare(where, 'clock', row.clock, stored.clock);
    this.compare(where, 'delivery deadline', row.deliverBy, stored.deliverBy);
    this.compare(where, 'accept window', row.acceptWindow, stored.acceptWindow);
    this.compare(where, 'worker', row.worker, stored.worker);
    this.compare(where, 'floor', row.floor, stored.floor);
    this.compare(where, 'version', row.version, stored.version);
    this.compare(where, 'revisions', row.revisions, stored.revisions);
    this.compare(where, 'most revisions', row.maxRevisions, stored.maxRevisions);
    this.compare(where, 'pays out', row.payOut, stored.payOut);
    this.compare(where, 'paid by its hirer', row.hirerFunded, stored.hirerFunded);
    this.compare(where, 'artifact', (row.artifactHash ?? NO_ARTIFACT).toLowerCase(), stored.artifactHash.toLowerCase());
  }

  private compare<T extends bigint | number | string | boolean>(where: string, what: string, index: T, chain: T): void {
    if (index === chain) return;
    this.found.push({ taskId: this.indexed.taskId, where, what, index: String(index), chain: String(chain) });
  }
}

/**
 * Base units in live nodes or owed to their workers: the unallocated part of every node whose money has not gone back.
 */
function heldIn(stored: ReadonlyMap<bigint, StoredNode | null>): bigint {
  const nodes = new Map([...stored].flatMap(([path, node]) => (node === null ? [] : [[path, { ...node, path }]])));
  const find = (path: bigint) => nodes.get(path);
  const isHeld = ({ state }: StoredNode): boolean => state <= NodeState.Settled;
  const isLive = (node: StoredNode & { path: bigint }): boolean =>
    isHeld(node) && (node.hirerFunded || (nodes.has(parentPath(node.path)) && backersAmong(find, node).every(isHeld)));
  return sum([...nodes.values()].filter(isLive).map(({ amount, allocated }) => amount - allocated));
}

/** State of a node in the contract's terms: the interface calls both a refund and an abandonment `refunded`. */
function indexedState({ state, outcome }: IndexedNode): string {
  return state === 'refunded' && outcome === 'abandoned' ? 'abandoned' : state;
}

const STATE_NAMES: Readonly<Record<NodeState, string>> = {
  [NodeState.None]: ABSENT,
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
