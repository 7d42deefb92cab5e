import { createHash, randomUUID } from 'node:crypto';
import { hashTypedData } from '#libs/prepared-action';
import { formatUsdc, type Hex, isRootPath } from '#libs/kernel';
import { hashOf } from '../../sample-market/seeds/task-tree.js';
import type { Act, Actor, ShownAction } from '../parties/actor.js';
import { commandLine } from '../parties/tasktree-run.js';
import { expectThat } from '../parties/step-reporter.js';
import type { DemoTask, Offer } from './demo-task.js';

/** A node as the service shows it to one account. */
export interface WireNode {
  id: string;
  state: string;
  outcome?: string;
  allowed_actions: string[];
  next: string;
}

export interface WireDelivery {
  id: string;
  node_id: string;
  rejection_reason?: string;
}

/** Sentences for ended nodes with no action left, by state and outcome. */
const ENDS: Readonly<Record<string, string>> = {
  'refunded, abandoned': 'Refunded: the worker gave up. Nothing for you to do.',
  'refunded, non_delivery': 'Refunded: nothing was delivered in time. The buyer can withdraw the money.',
};

/** Work on the nodes of one task: each method is one command line, whose action is checked, signed, mined and confirmed. */
export class DemoWork {
  constructor(private readonly task: DemoTask) {}

  /** The worker uploads the artifact and delivers it, to be paid to its own wallet as soon as the node settles. */
  deliver({ agent, nodeId }: Offer, artifact: string): Promise<Act> {
    const file = this.task.context.written(`${agent.name.toLowerCase()}.md`, artifact);
    const work = [this.task.id, file, '--node', nodeId, '--media-type', 'text/markdown'];
    return agent.owner.act('prepare', 'deliver', ...work);
  }

  /** The hirer accepts: the buyer for the root node, the parent node's worker for any other. */
  accept(offer: Offer): Promise<Act> {
    return offer.hirer.act('prepare', 'resolve-task', ...this.reviewed(offer));
  }

  /** As `accept`, but the wallet sends the ready call itself, without a signature, and tells the transaction. */
  async acceptBySending(offer: Offer): Promise<Pick<Act, 'line' | 'hash'>> {
    const { hirer, nodeId } = offer;
    const { chain } = this.task.context;
    const key = ['--idempotency-key', randomUUID()];
    const shown = await hirer.ask<ShownAction>('prepare', 'resolve-task', ...this.reviewed(offer), ...key);
    // The same request again, because the call that comes with the action is not shown above.
    const path = `/v1/tasks/${this.task.id}/nodes/${nodeId}/resolution`;
    const again = ['api', 'POST', path, '--scope', 'worker', '-f', 'resolution=accept', ...key];
    const { payload } = await hirer.ask<WireAction>(...again);
    expectThat(hashTypedData(payload).digest === shown.digest, 'The action is not the one that was checked.');
    const { transaction } = payload;
    expectThat(transaction?.to === this.task.escrow, 'The ready call is not for the escrow.');
    const { hash } = await chain.send(hirer.wallet, transaction.to, transaction.data);
    const submissions = `/v1/actions/${shown.action_id}/submissions`;
    const argv = ['api', 'POST', submissions, '--scope', 'worker', '-f', `transaction_hash=${hash}`];
    await hirer.ask(...argv);
    await hirer.ask('actions', 'wait', shown.action_id, '--until', 'confirmed');
    return { line: commandLine(argv), hash };
  }

  reject(offer: Offer, reason: string): Promise<Act> {
    return offer.hirer.act('prepare', 'reject-task', ...this.reviewed(offer), '--reason', reason);
  }

  contest({ agent, nodeId }: Offer, evidence: string): Promise<Act> {
    return agent.owner.act('prepare', 'dispute-node', this.task.id, nodeId, '--evidence-hash', hashOf(evidence));
  }

  /**
   * Claims a non-delivery. Any account that may see the node may do so; the money goes back to its payer in any case.
   */
  claimNonDelivery({ nodeId }: Offer, claimant: Actor): Promise<Act> {
    return claimant.act('prepare', 'claim-non-delivery', this.task.id, nodeId);
  }

  /** @param key Idempotency-Key of a preparation that has been made already. */
  abandon({ agent, nodeId }: Offer, key: string): Promise<Act> {
    return agent.owner.act('prepare', 'abandon-node', this.task.id, nodeId, '--idempotency-key', key);
  }

  /** Withdraws a node's earnings to its worker's wallet. @param amount base units that the scenario expects. */
  withdrawEarnings({ agent, nodeId }: Offer, amount: bigint): Promise<Act> {
    const { owner } = agent;
    const what = ['--to', owner.address, '--task', this.task.id, '--node', nodeId];
    return owner.act('prepare', 'withdraw-earnings', ...what, ...this.task.context.expecting({ amount }));
  }

  /** @param amount base units that the scenario expects. */
  withdrawRefund(who: Actor, amount: bigint): Promise<Act> {
    const { context, id } = this.task;
    return who.act('prepare', 'withdraw-refund', id, '--to', who.address, ...context.expecting({ amount }));
  }

  /** The node as `who` sees it. */
  async node({ nodeId }: Offer, who: Actor): Promise<WireNode> {
    const found = (await who.list<WireNode>('nodes', this.task.id)).find(({ id }) => id === nodeId);
    expectThat(found !== undefined, `${who.name} does not see the node ${nodeId}.`);
    return found;
  }

  /** The newest delivery of the node as `who` sees it. */
  async delivery({ nodeId }: Offer, who: Actor): Promise<WireDelivery> {
    const deliveries = await who.list<WireDelivery>('deliveries', '--task', this.task.id, '--limit', '100');
    const found = deliveries.find(({ node_id }) => node_id === nodeId);
    expectThat(found !== undefined, `${who.name} sees no delivery of the node ${nodeId}.`);
    return found;
  }

  /**
   * Throws DemoMismatch unless the service shows the node so; then reports what the node waits for, in the service's
   * words.
   */
  async waitsAs(offer: Offer, who: Actor, wanted: string): Promise<void> {
    const { state, outcome, next } = await this.node(offer, who);
    const shown = outcome === undefined ? state : `${state}, ${outcome}`;
    expectThat(shown === wanted, `The node of ${offer.agent.name} is shown as ${shown}, not as ${wanted}.`);
    const said = ENDS[shown] ?? `${state.charAt(0).toUpperCase()}${state.slice(1)}: ${next}`;
    this.task.context.reporter.waits(`${offer.agent.name}, ${formatUsdc(offer.terms.amount)} USDC. ${said}`);
  }

  /** The delivered work that its hirer looks at. */
  private reviewed({ nodeId, terms }: Offer): string[] {
    return isRootPath(terms.nodeId) ? [this.task.id] : [this.task.id, '--node', nodeId];
  }
}

/** As much of an action as the interface shows and is read here. */
interface WireAction {
  payload: Record<string, unknown> & { transaction?: { to: string; data: string } };
}

/** SHA-256 of bytes as 0x-hex: the name of an artifact. */
export function sha256Of(bytes: Uint8Array): Hex {
  return `0x${createHash('sha256').update(bytes).digest('hex')}`;
}

/** What was typed, and the transaction that came of it. */
export function proofOf({ line, hash }: Pick<Act, 'line' | 'hash'>): string {
  return `${line} → tx ${hash}`;
}
