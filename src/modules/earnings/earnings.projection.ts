import { Injectable, type OnModuleInit } from '@nestjs/common';
import { byChainOrder, checksumAddress, finalSettlements, type TreeStep } from '#libs/contracts';
import { isRootPath, parentPath } from '#libs/kernel';
import { MoneyDto } from '../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../events/catalogue/event.js';
import type { EventSubject } from '../events/catalogue/event-group.js';
import type { MoneyEvents } from '../events/catalogue/money-event-data.js';
import { DomainEvents } from '../events/domain-events.js';
import { StepsByPlace } from '../events/steps-by-place.js';
import type { ResolvedNode, TreeChanged, TreesChanged } from '../events/tree.events.js';

type Tell = TreesChanged['tell'];

/** Tells of money that the chain makes available, and that leaves the escrow. */
@Injectable()
export class EarningsProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', async (_manager, { trees, tell }) => {
      for (const tree of trees) if (tree.steps.length > 0) new TreeMoney(tree, tell).tellAll();
    });
  }
}

/** The money of one tree. */
class TreeMoney {
  private readonly nodes: ReadonlyMap<bigint, ResolvedNode>;

  constructor(
    private readonly tree: TreeChanged,
    private readonly tell: Tell,
  ) {
    this.nodes = new Map(tree.nodes.map((node) => [node.node.path, node]));
  }

  tellAll(): void {
    for (const [path, step] of this.becameAvailable()) this.tellAvailable(path, step);
    for (const step of this.tree.steps) this.tellMoved(step);
  }

  /**
   * The nodes from which more can be withdrawn than before, each with the last step that made it so: their own end became
   * final, or money of a node below came back after it.
   */
  private becameAvailable(): Map<bigint, TreeStep> {
    const found = new Map<bigint, TreeStep>();
    const released = new Set<bigint>();
    const steps = new StepsByPlace(this.tree.steps);
    for (const { nodePath, kind, final } of finalSettlements(this.tree.projection)) {
      if (kind !== 'released') continue;
      released.add(nodePath);
      const step = steps.at(final);
      if (step) found.set(nodePath, step);
    }
    for (const step of this.tree.steps) {
      const parent = step.path === null ? 0n : parentPath(step.path);
      const child = step.path === null ? undefined : this.nodes.get(step.path);
      if (!child || child.node.hirerFunded || returned(step) === 0n || !released.has(parent)) continue;
      found.set(parent, later(found.get(parent), step));
    }
    return found;
  }

  /** What is left after all steps is what can be withdrawn; money that was paid out at once is only told as withdrawn. */
  private tellAvailable(path: bigint, step: TreeStep): void {
    const worked = this.nodes.get(path);
    const amount = worked === undefined ? 0n : worked.node.pool - worked.node.allocated;
    if (!worked || amount === 0n) return;
    this.record('earnings.available', worked, worked.workerAccountId, { amount }, step);
  }

  private tellMoved(step: TreeStep): void {
    const { fact } = step.chained;
    const node = step.path === null ? undefined : this.nodes.get(step.path);
    if (fact.type === 'RefundWithdrawn') {
      const { amount, recipient } = fact;
      this.record('refund.withdrawn', null, this.accountOf(fact.account), { amount, recipient }, step);
    } else if (fact.type === 'EarningsWithdrawn' && node) {
      const { amount, recipient } = fact;
      this.record('earnings.withdrawn', node, node.workerAccountId, { amount, recipient }, step);
    } else if (node?.node.hirerFunded && returned(step) > 0n) {
      this.record('refund.available', node, node.hirerAccountId, { amount: returned(step) }, step);
    }
  }

  /** The account of a wallet that hires in this tree; null when it is none that is known. */
  private accountOf(wallet: string): string | null {
    const { parties } = this.tree.projection;
    if (parties !== null && checksumAddress(parties.buyer) === wallet) return this.tree.buyerAccountId;
    return this.tree.nodes.find(({ node }) => !isRootPath(node.path) && node.hirer === wallet)?.hirerAccountId ?? null;
  }

  private record(
    type: keyof MoneyEvents,
    node: ResolvedNode | null,
    owner: string | null,
    { amount, recipient }: { amount: bigint; recipient?: string },
    step: TreeStep,
  ): void {
    const { taskId } = this.tree;
    const subject: EventSubject = node ? { kind: 'node', id: node.id, taskId } : { kind: 'task', id: taskId, taskId };
    const event: RecordedEvent<keyof MoneyEvents> = {
      type,
      at: new Date(step.chained.blockTime * 1000),
      subject,
      audience: owner === null ? [] : [owner],
      data: {
        amount: MoneyDto.from(amount),
        transaction_hash: step.chained.transactionHash,
        ...(node ? { node_id: node.id } : {}),
        ...(recipient === undefined ? {} : { recipient }),
      },
    };
    this.tell(event, step);
  }
}

/** Base units that a step gives back to where the node's money came from. */
function returned({ chained: { fact } }: TreeStep): bigint {
  if (fact.type === 'NodeSettled') return fact.hirerShare;
  return fact.type === 'NodeRefunded' ? fact.amount : 0n;
}

function later(known: TreeStep | undefined, step: TreeStep): TreeStep {
  return known && byChainOrder(known.chained, step.chained) > 0 ? known : step;
}
