import { type Hex, isRootPath, parentPath } from '#libs/kernel';
import type { EscrowFactOf, EscrowFactType } from './escrow-events.js';
import { FundingMode, LIVE_STATES, NodeState, Outcome } from './node-states.js';
import { type TaskStatus, taskStatusOf } from './task-status.js';
import type {
  ChainedFact,
  ConsumedAction,
  FactRef,
  InvalidatedNonces,
  TreeDelivery,
  TreeLedger,
  TreeNode,
  TreeProjection,
  TreeRefund,
  TreeSettlement,
  TreeWithdrawal,
} from './tree-projection.types.js';
import type { TreeStep } from './tree-step.types.js';

/** The facts cannot be the whole history of a tree: one is missing, repeated or out of order. */
export class InconsistentFactsError extends Error {
  override readonly name = 'InconsistentFactsError';
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type FactHandlers = { [T in EscrowFactType]: (fact: EscrowFactOf<T>, ref: FactRef) => void };

/**
 * The contract's own bookkeeping (docs/decisions/escrow.md#storage-of-a-node,
 * docs/decisions/escrow.md#money-of-nested-nodes), driven by its events instead of its calls.
 */
export class TreeFold {
  private parties: TreeProjection['parties'] = null;
  private readonly nodes = new Map<bigint, Writable<TreeNode>>();
  private newestRoot: TreeNode | null = null;
  /**
   * The roots that held money when the status was asked for last, and those that were paid since, in the order of their
   * payments: the last that still does decides. None comes back, so that a tree of many roots asks about each once.
   */
  private readonly liveRoots: TreeNode[] = [];
  private readonly deliveries: Writable<TreeDelivery>[] = [];
  /**
   * The newest delivery of each node, as a map: every fact that answers a delivery looks it up, and a tree may have
   * many.
   */
  private readonly newestDelivery = new Map<bigint, Writable<TreeDelivery>>();
  private readonly settlements: TreeSettlement[] = [];
  private readonly withdrawals: TreeWithdrawal[] = [];
  private readonly refunds: TreeRefund[] = [];
  private readonly refundOf = new Map<Hex, bigint>();
  private readonly consumedActions: ConsumedAction[] = [];
  private readonly invalidatedNonces: InvalidatedNonces[] = [];
  private readonly ledger: Writable<TreeLedger> = { funded: 0n, held: 0n, paid: 0n, refundable: 0n };

  private readonly on: FactHandlers = {
    TreeCreated: ({ buyer, arbiter }) => this.nameParties(buyer, arbiter),
    NodeFunded: (fact, ref) => this.fund(fact, ref),
    NodeDelivered: (fact, ref) => this.deliver(fact, ref),
    NodeRejected: (fact, ref) => this.reject(fact, ref),
    NodeDisputed: ({ nodeId, ruleBy }) => {
      this.enter(this.node(nodeId, [NodeState.Rejected]), NodeState.Disputed, { clock: ruleBy });
    },
    NodeSettled: (fact, ref) => this.settle(fact, ref),
    NodeRefunded: (fact, ref) => this.refund(fact, ref),
    EarningsWithdrawn: (fact, ref) => this.payEarnings(fact, ref),
    RefundWithdrawn: ({ account, recipient, amount }, ref) => {
      this.creditRefund(account, -amount);
      this.ledger.paid += amount;
      this.refunds.push({ account, recipient, amount, withdrawn: ref });
    },
    ActionConsumed: ({ actionId, signer, nonce, requestDigest }, { transactionHash, blockNumber, at }) => {
      const executed = { transactionHash, blockNumber, at };
      this.consumedActions.push({ actionIdHash: actionId, signer, nonce, requestDigest, ...executed });
    },
    NoncesInvalidated: ({ signer, word, mask }) => {
      this.invalidatedNonces.push({ signer, word, mask });
    },
  };

  /** Applies a fact. @returns what it has changed. */
  step(chained: ChainedFact): TreeStep {
    const path = 'nodeId' in chained.fact ? chained.fact.nodeId : null;
    const [from, statusBefore] = [this.stateAt(path), this.status()];
    this.apply(chained);
    return { chained, path, from, to: this.stateAt(path), statusBefore, status: this.status() };
  }

  apply({ fact, transactionHash, blockNumber, logIndex, blockTime }: ChainedFact): void {
    this.dispatch(fact.type, fact, { transactionHash, blockNumber, logIndex, at: blockTime });
  }

  projection(): TreeProjection {
    return {
      parties: this.parties,
      nodes: [...this.nodes.values()],
      deliveries: this.deliveries,
      settlements: this.settlements,
      withdrawals: this.withdrawals,
      refunds: this.refunds,
      refundOf: this.refundOf,
      consumedActions: this.consumedActions,
      invalidatedNonces: this.invalidatedNonces,
      ledger: this.ledger,
    };
  }

  private dispatch<T extends EscrowFactType>(type: T, fact: EscrowFactOf<T>, ref: FactRef): void {
    this.on[type](fact, ref);
  }

  private nameParties(buyer: Hex, arbiter: Hex): void {
    const known = this.parties ?? { buyer, arbiter };
    // The escrow's address commits to both, so that they can never change.
    if (known.buyer !== buyer || known.arbiter !== arbiter) throw new InconsistentFactsError('These are two trees');
    this.parties = known;
  }

  private fund(fact: EscrowFactOf<'NodeFunded'>, fundedAt: FactRef): void {
    const { nodeId: path, payer, amount, mode, hirerFunded, ...terms } = fact;
    if (this.nodes.has(path)) throw new InconsistentFactsError(`Node ${path} was funded twice`);
    const hirer = this.hirerUnder(parentPath(path));
    if (payer !== hirer || hirerFunded === (mode === FundingMode.ParentNode)) {
      throw new InconsistentFactsError(`Node ${path} was funded by another than its hirer`);
    }
    if (mode === FundingMode.ParentNode) {
      this.allocate(parentPath(path), amount);
    } else {
      if (mode === FundingMode.RefundBalance) this.creditRefund(payer, -amount);
      else this.ledger.funded += amount;
      this.ledger.held += amount;
    }
    this.open({
      path,
      worker: terms.worker,
      hirer,
      amount,
      floor: terms.floor,
      pool: amount,
      allocated: 0n,
      state: NodeState.Funded,
      outcome: null,
      deliverBy: terms.deliverBy,
      clock: terms.deliverBy,
      acceptWindow: terms.acceptWindow,
      version: 1,
      revisions: 0,
      maxRevisions: terms.maxRevisions,
      hirerFunded,
      payOut: false,
      termsHash: terms.termsHash,
      artifactHash: null,
      fundedAt,
      settledAt: null,
      workerShare: 0n,
      withdrawn: 0n,
    });
  }

  private open(node: Writable<TreeNode>): void {
    this.nodes.set(node.path, node);
    if (!isRootPath(node.path)) return;
    this.newestRoot = node;
    this.liveRoots.push(node);
  }

  private status(): TaskStatus | null {
    let root = this.liveRoots.at(-1);
    while (root !== undefined && !LIVE_STATES.includes(root.state)) {
      this.liveRoots.pop();
      root = this.liveRoots.at(-1);
    }
    const deciding = root ?? this.newestRoot;
    return deciding === null ? null : taskStatusOf({ nodes: [deciding] });
  }

  private stateAt(path: bigint | null): NodeState | null {
    return path === null ? null : (this.nodes.get(path)?.state ?? null);
  }

  private hirerUnder(parent: bigint): Hex {
    if (parent !== 0n) return this.node(parent, [NodeState.Funded]).worker;
    if (this.parties === null) throw new InconsistentFactsError('A node was funded before the tree named its buyer');
    return this.parties.buyer;
  }

  private deliver(fact: EscrowFactOf<'NodeDelivered'>, delivered: FactRef): void {
    const { nodeId: nodePath, artifactHash, acceptBy, payOut } = fact;
    const node = this.node(nodePath, [NodeState.Funded, NodeState.Rejected]);
    if (node.state === NodeState.Rejected) node.revisions += 1;
    if (node.revisions > node.maxRevisions) {
      throw new InconsistentFactsError(`Node ${nodePath} was delivered more often than its terms allow`);
    }
    this.enter(node, NodeState.Delivered, { clock: acceptBy, artifactHash, payOut });
    const revision = (this.newestDelivery.get(nodePath)?.revision ?? 0) + 1;
    const own = { nodePath, revision, artifactHash, acceptBy, delivered };
    const delivery: TreeDelivery = { ...own, status: 'submitted', reasonHash: null };
    this.deliveries.push(delivery);
    this.newestDelivery.set(nodePath, delivery);
  }

  private reject({ nodeId, reasonHash, contestBy }: EscrowFactOf<'NodeRejected'>, { at }: FactRef): void {
    const node = this.node(nodeId, [NodeState.Delivered]);
    this.markDelivery(nodeId, { status: 'rejected', reasonHash });
    // Where the worker has no answer left, the refund that follows is the only transition.
    if (contestBy > at) this.enter(node, NodeState.Rejected, { clock: contestBy });
  }

  private settle(fact: EscrowFactOf<'NodeSettled'>, settled: FactRef): void {
    const node = this.node(fact.nodeId, LIVE_STATES);
    if (fact.workerShare + fact.hirerShare !== node.pool) {
      throw new InconsistentFactsError(`The shares of node ${fact.nodeId} are not its pool`);
    }
    this.giveBack(node, fact.hirerShare);
    node.pool = fact.workerShare;
    node.workerShare = fact.workerShare;
    this.end(node, NodeState.Settled, fact.outcome, settled);
    this.markDelivery(fact.nodeId, { status: 'released' });
    this.recordSettlement(node, fact.hirerShare, fact.outcome, settled);
  }

  private refund(fact: EscrowFactOf<'NodeRefunded'>, settled: FactRef): void {
    const node = this.node(fact.nodeId, LIVE_STATES);
    if (fact.amount !== node.pool)
      throw new InconsistentFactsError(`The refund of node ${fact.nodeId} is not its pool`);
    this.giveBack(node, fact.amount);
    const state = fact.outcome === Outcome.Abandoned ? NodeState.Abandoned : NodeState.Refunded;
    this.end(node, state, fact.outcome, settled);
    this.recordSettlement(node, fact.amount, fact.outcome, settled);
  }

  private payEarnings(fact: EscrowFactOf<'EarningsWithdrawn'>, withdrawn: FactRef): void {
    const { nodeId, worker, recipient, amount } = fact;
    const node = this.node(nodeId, [NodeState.Settled]);
    if (amount > node.pool - node.allocated) throw new InconsistentFactsError(`Node ${nodeId} paid more than it held`);
    node.pool -= amount;
    node.withdrawn += amount;
    this.ledger.held -= amount;
    this.ledger.paid += amount;
    this.withdrawals.push({ nodePath: nodeId, worker, recipient, amount, withdrawn });
  }

  private end(node: Writable<TreeNode>, state: NodeState, outcome: Outcome, settledAt: FactRef): void {
    this.enter(node, state, { outcome, settledAt });
  }

  /** One transition of the contract. */
  private enter(node: Writable<TreeNode>, state: NodeState, change: Partial<TreeNode>): void {
    Object.assign(node, change, { state, version: node.version + 1 });
  }

  private recordSettlement(node: TreeNode, hirerShare: bigint, outcome: Outcome, settled: FactRef): void {
    const { path: nodePath, worker, hirer, workerShare } = node;
    const kind = node.state === NodeState.Settled ? 'released' : 'refunded';
    this.settlements.push({ nodePath, kind, outcome, worker, hirer, workerShare, hirerShare, settled });
  }

  /** Money of a node goes back to where it came from: its hirer's refund balance or its parent's pool. */
  private giveBack(node: TreeNode, amount: bigint): void {
    if (node.hirerFunded) {
      this.ledger.held -= amount;
      this.creditRefund(node.hirer, amount);
    } else {
      this.allocate(parentPath(node.path), -amount);
    }
  }

  private allocate(path: bigint, amount: bigint): void {
    const parent = this.node(path);
    parent.allocated += amount;
    if (parent.allocated < 0n || parent.allocated > parent.floor) {
      throw new InconsistentFactsError(`Node ${path} has promised more than it may`);
    }
  }

  private creditRefund(account: Hex, amount: bigint): void {
    const balance = (this.refundOf.get(account) ?? 0n) + amount;
    if (balance < 0n) throw new InconsistentFactsError('More was taken out of a refund balance than it held');
    if (balance === 0n) this.refundOf.delete(account);
    else this.refundOf.set(account, balance);
    this.ledger.refundable += amount;
  }

  private markDelivery(nodeId: bigint, change: Partial<Pick<TreeDelivery, 'status' | 'reasonHash'>>): void {
    const delivery = this.newestDelivery.get(nodeId);
    if (delivery !== undefined) Object.assign(delivery, change);
  }

  private node(path: bigint, states?: readonly NodeState[]): Writable<TreeNode> {
    const node = this.nodes.get(path);
    if (node === undefined || (states !== undefined && !states.includes(node.state))) {
      throw new InconsistentFactsError(`A fact does not fit the state of node ${path}`);
    }
    return node;
  }
}
