import type { Hex } from '#libs/kernel';
import type { EscrowFactOf, EscrowFactType } from './escrow-events.js';
import { FundingMode, LIVE_STATES, NodeState, Outcome } from './node-states.js';
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

/** The facts cannot be the whole history of a tree: one is missing, repeated or out of order. */
export class InconsistentFactsError extends Error {
  override readonly name = 'InconsistentFactsError';
}

/**
 * Folds the facts of one tree, given in chain order from its first one, into its projection. Pure: the same facts
 * always give the same projection, and each fact counts once. Throws InconsistentFactsError when they cannot be the
 * complete history of a tree of the pinned contract.
 */
export function projectTree(facts: readonly ChainedFact[]): TreeProjection {
  const tree = new TreeFold();
  let last: ChainedFact | undefined;
  for (const chained of facts) {
    if (last !== undefined && !isAfter(chained, last)) throw new InconsistentFactsError('The facts are not in order');
    tree.apply(chained);
    last = chained;
  }
  return tree.projection();
}

function isAfter(next: ChainedFact, last: ChainedFact): boolean {
  return next.blockNumber === last.blockNumber ? next.logIndex > last.logIndex : next.blockNumber > last.blockNumber;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type FactHandlers = { [T in EscrowFactType]: (fact: EscrowFactOf<T>, ref: FactRef) => void };

/**
 * The contract's own bookkeeping (docs/decisions/escrow.md#storage-of-a-node,
 * docs/decisions/escrow.md#money-of-nested-nodes), driven by its events instead of its calls.
 */
class TreeFold {
  private parties: TreeProjection['parties'] = null;
  private created: TreeProjection['created'] = null;
  private readonly nodes = new Map<number, Writable<TreeNode>>();
  private readonly deliveries: Writable<TreeDelivery>[] = [];
  /**
   * The newest delivery of each node, as a map: every fact that answers a delivery looks it up, and a tree may have
   * many.
   */
  private readonly newestDelivery = new Map<number, Writable<TreeDelivery>>();
  private readonly settlements: TreeSettlement[] = [];
  private readonly withdrawals: TreeWithdrawal[] = [];
  private readonly refunds: TreeRefund[] = [];
  private readonly refundOf = new Map<Hex, bigint>();
  private readonly consumedActions: ConsumedAction[] = [];
  private readonly invalidatedNonces: InvalidatedNonces[] = [];
  private readonly ledger: Writable<TreeLedger> = { funded: 0n, held: 0n, paid: 0n, refundable: 0n };

  private readonly on: FactHandlers = {
    TreeCreated: ({ buyer, arbiter }) => this.nameParties(buyer, arbiter),
    TaskCreated: ({ buyer, arbiter, budget, termsHash }, ref) => {
      this.nameParties(buyer, arbiter);
      this.created ??= { budget, termsHash, ...ref };
    },
    NodeOpened: (fact, ref) => this.open(fact, ref),
    NodeFunded: (fact, ref) => this.fund(fact, ref),
    NodeDelivered: (fact, ref) => this.deliver(fact, ref),
    NodeRejected: (fact) => this.reject(fact),
    NodeDisputed: ({ nodeId, ruleBy }) => {
      Object.assign(this.node(nodeId, [NodeState.Rejected]), { state: NodeState.Disputed, clock: ruleBy });
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

  apply({ fact, transactionHash, blockNumber, logIndex, blockTime }: ChainedFact): void {
    this.dispatch(fact.type, fact, { transactionHash, blockNumber, logIndex, at: blockTime });
  }

  projection(): TreeProjection {
    const nodes = [...this.nodes.values()];
    return {
      parties: this.parties,
      created: this.created,
      selectedNodes: nodes.filter(({ state }) => state === NodeState.Selected).map(({ number }) => number),
      nodes,
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

  private open(fact: EscrowFactOf<'NodeOpened'>, openedAt: FactRef): void {
    if (this.nodes.has(fact.nodeId)) throw new InconsistentFactsError(`Node ${fact.nodeId} was opened twice`);
    this.nodes.set(fact.nodeId, {
      number: fact.nodeId,
      parentNumber: fact.parentNodeId,
      worker: fact.worker,
      hirer: this.hirerUnder(fact.parentNodeId),
      amount: fact.amount,
      pool: fact.amount,
      allocated: 0n,
      state: NodeState.Selected,
      outcome: null,
      deliverBy: fact.deliverBy,
      clock: fact.deliverBy,
      acceptWindow: fact.acceptWindow,
      hirerFunded: fact.hirerFunded,
      termsHash: fact.termsHash,
      artifactHash: null,
      openedAt,
      fundedAt: null,
      settledAt: null,
      workerShare: 0n,
      withdrawn: 0n,
    });
  }

  private hirerUnder(parentNumber: number): Hex {
    if (parentNumber !== 0) return this.node(parentNumber).worker;
    if (this.parties === null) throw new InconsistentFactsError('A node was opened before the tree named its buyer');
    return this.parties.buyer;
  }

  private fund({ nodeId, payer, amount, mode }: EscrowFactOf<'NodeFunded'>, fundedAt: FactRef): void {
    const node = this.node(nodeId, [NodeState.Selected]);
    if (amount !== node.amount) throw new InconsistentFactsError(`Node ${nodeId} was funded with another amount`);
    if (mode === FundingMode.ParentNode) {
      this.allocate(node.parentNumber, amount);
    } else {
      if (mode === FundingMode.RefundBalance) this.creditRefund(payer, -amount);
      else this.ledger.funded += amount;
      this.ledger.held += amount;
    }
    Object.assign(node, { state: NodeState.Funded, clock: node.deliverBy, fundedAt });
  }

  private deliver({ nodeId, artifactHash, acceptBy }: EscrowFactOf<'NodeDelivered'>, delivered: FactRef): void {
    const node = this.node(nodeId, [NodeState.Funded, NodeState.Rejected]);
    Object.assign(node, { state: NodeState.Delivered, clock: acceptBy, artifactHash });
    const revision = (this.newestDelivery.get(nodeId)?.revision ?? 0) + 1;
    const own = { nodeNumber: nodeId, revision, artifactHash, acceptBy, delivered };
    const delivery: TreeDelivery = { ...own, status: 'submitted', reasonHash: null };
    this.deliveries.push(delivery);
    this.newestDelivery.set(nodeId, delivery);
  }

  private reject({ nodeId, reasonHash, contestBy }: EscrowFactOf<'NodeRejected'>): void {
    const node = this.node(nodeId, [NodeState.Delivered]);
    Object.assign(node, { state: NodeState.Rejected, clock: contestBy });
    this.markDelivery(nodeId, { status: 'rejected', reasonHash });
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
    this.withdrawals.push({ nodeNumber: nodeId, worker, recipient, amount, withdrawn });
  }

  private end(node: Writable<TreeNode>, state: NodeState, outcome: Outcome, settledAt: FactRef): void {
    Object.assign(node, { state, outcome, settledAt });
  }

  private recordSettlement(node: TreeNode, hirerShare: bigint, outcome: Outcome, settled: FactRef): void {
    const { number: nodeNumber, worker, hirer, workerShare } = node;
    const kind = node.state === NodeState.Settled ? 'released' : 'refunded';
    this.settlements.push({ nodeNumber, kind, outcome, worker, hirer, workerShare, hirerShare, settled });
  }

  /** Money of a node goes back to where it came from: its hirer's refund balance or its parent's pool. */
  private giveBack(node: TreeNode, amount: bigint): void {
    if (node.hirerFunded) {
      this.ledger.held -= amount;
      this.creditRefund(node.hirer, amount);
    } else {
      this.allocate(node.parentNumber, -amount);
    }
  }

  private allocate(parentNumber: number, amount: bigint): void {
    const parent = this.node(parentNumber);
    parent.allocated += amount;
    if (parent.allocated < 0n || parent.allocated > parent.pool) {
      throw new InconsistentFactsError(`Node ${parentNumber} has promised what it does not hold`);
    }
  }

  private creditRefund(account: Hex, amount: bigint): void {
    const balance = (this.refundOf.get(account) ?? 0n) + amount;
    if (balance < 0n) throw new InconsistentFactsError('More was taken out of a refund balance than it held');
    if (balance === 0n) this.refundOf.delete(account);
    else this.refundOf.set(account, balance);
    this.ledger.refundable += amount;
  }

  private markDelivery(nodeId: number, change: Partial<Pick<TreeDelivery, 'status' | 'reasonHash'>>): void {
    const delivery = this.newestDelivery.get(nodeId);
    if (delivery !== undefined) Object.assign(delivery, change);
  }

  private node(number: number, states?: readonly NodeState[]): Writable<TreeNode> {
    const node = this.nodes.get(number);
    if (node === undefined || (states !== undefined && !states.includes(node.state))) {
      throw new InconsistentFactsError(`A fact does not fit the state of node ${number}`);
    }
    return node;
  }
}
