import { createHash } from 'node:crypto';
import { formatUsdc, type Hex, isRootPath } from '#libs/kernel';
import type { Scope } from '../../../modules/credentials/scope.js';
import type { Mined } from '../../local-chain/local-chain.js';
import { hashOf } from '../../sample-market/seeds/task-tree.js';
import type { Meaning, PreparedAction } from '../parties/action-check.js';
import type { DemoTask, Offer } from './demo-task.js';
import { type IntentRequest, Actor } from '../parties/actor.js';
import { expectThat } from '../parties/step-reporter.js';

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

/** Work on the nodes of one task: each method is one action, prepared over HTTP, signed, mined and confirmed. */
export class DemoWork {
  constructor(private readonly task: DemoTask) {}

  /** The worker uploads the artifact and delivers it, to be paid to its own wallet as soon as the node settles. */
  async deliver({ agent, nodeId, terms }: Offer, artifact: string): Promise<Mined> {
    const worker = agent.owner;
    const bytes = Buffer.from(artifact, 'utf8');
    const artifactHash = sha256Of(bytes);
    const { custody_receipt } = await worker.client.send<{ custody_receipt: string }>(
      'worker',
      'PUT',
      `/v1/artifacts/${artifactHash}`,
      { bytes },
    );
    const body = { task_id: this.task.id, node_id: nodeId, artifact_hash: artifactHash, custody_receipt };
    const { prepared_action: action } = await worker.client.send<{ prepared_action: PreparedAction }>(
      'worker',
      'POST',
      '/v1/deliveries',
      { body },
    );
    const own = { nodeId: terms.nodeId, artifactHash, payOut: true };
    await worker.check(action, this.task.meaning('deliver', 'Deliver', own, { nodeId }), body);
    return this.finish(worker, 'worker', action);
  }

  /** The hirer accepts: the buyer for the root node, the parent node's worker for any other. */
  async accept(offer: Offer, artifact: string, { sentByItself = false } = {}): Promise<Mined> {
    const { hirer, nodeId, terms } = offer;
    const request = this.review(offer, 'resolution', { resolution: 'accept' });
    const own = {
      nodeId: terms.nodeId,
      worker: terms.worker,
      token: this.token,
      amount: terms.amount,
      artifactHash: hashOf(artifact),
    };
    const action = await hirer.prepare(request, () =>
      this.task.meaning('resolve_task', 'ResolveTask', own, { nodeId }),
    );
    return sentByItself ? this.send(hirer, request.scope, action) : this.finish(hirer, request.scope, action);
  }

  async reject(offer: Offer, artifact: string, reason: string): Promise<Mined> {
    const { hirer, nodeId, terms } = offer;
    const request = this.review(offer, 'reject-intents', { reason });
    const own = { nodeId: terms.nodeId, artifactHash: hashOf(artifact), reasonHash: hashOf(reason) };
    const action = await hirer.prepare(request, () => this.task.meaning('reject_task', 'RejectTask', own, { nodeId }));
    return this.finish(hirer, request.scope, action);
  }

  async contest({ agent, nodeId, terms }: Offer, evidence: string): Promise<Mined> {
    const body = { evidence_hash: hashOf(evidence) };
    const own = { nodeId: terms.nodeId, evidenceHash: body.evidence_hash };
    const request = { scope: 'worker', path: `${this.path(nodeId)}/dispute-intents`, body } as const;
    return this.act(agent.owner, request, this.task.meaning('dispute_node', 'DisputeNode', own, { nodeId }));
  }

  /**
   * Claims a non-delivery. Any account that may see the node may do so; the money goes back to its payer in any case.
   */
  async claimNonDelivery({ nodeId, terms }: Offer, claimant: Actor): Promise<Mined> {
    const own = { nodeId: terms.nodeId, token: this.token, amount: terms.amount };
    const request = { scope: 'read', path: `${this.path(nodeId)}/non-delivery-claim-intents` } as const;
    return this.act(claimant, request, this.task.meaning('claim_non_delivery', 'ClaimNonDelivery', own, { nodeId }));
  }

  /** Prepares and checks an abandonment, without signing it. */
  prepareAbandonment({ agent, nodeId, terms }: Offer): Promise<PreparedAction> {
    const own = { nodeId: terms.nodeId, token: this.token, amount: terms.amount };
    return agent.owner.prepare({ scope: 'worker', path: `${this.path(nodeId)}/abandon-intents` }, () =>
      this.task.meaning('abandon_node', 'AbandonNode', own, { nodeId }),
    );
  }

  /** Withdraws a node's earnings to its worker's wallet. @param amount base units that the scenario expects. */
  async withdrawEarnings({ agent, nodeId, terms }: Offer, amount: bigint): Promise<Mined> {
    const { owner } = agent;
    const body = { destination: owner.address, task_id: this.task.id, node_id: nodeId };
    const own = { nodeId: terms.nodeId, recipient: owner.address, token: this.token, amount };
    const request = { scope: 'worker', path: '/v1/earnings/withdrawal-intents', body } as const;
    return this.act(owner, request, this.task.meaning('withdraw_earnings', 'WithdrawEarnings', own, { nodeId }));
  }

  /** @param amount base units that the scenario expects. */
  async withdrawRefund(who: Actor, amount: bigint): Promise<Mined> {
    const body = { destination: who.address };
    const own = { account: who.address, recipient: who.address, token: this.token, amount };
    const request = { scope: 'buyer', path: `/v1/tasks/${this.task.id}/refund-withdrawal-intents`, body } as const;
    return this.act(who, request, this.task.meaning('withdraw_refund', 'WithdrawRefund', own));
  }

  /** Signs a checked action, sends its call to the chain, and waits until the service has confirmed it. */
  async finish(who: Actor, scope: Scope, action: PreparedAction): Promise<Mined> {
    const { transaction } = await who.sign(scope, action);
    const mined = await this.task.context.carry(transaction, action.kind);
    await who.confirmed(action.action_id);
    return mined;
  }

  /** The node as `who` sees it. */
  async node({ nodeId }: Offer, who: Actor): Promise<WireNode> {
    const { data } = await who.client.get<{ data: WireNode[] }>(`/v1/tasks/${this.task.id}/nodes?limit=100`);
    const found = data.find(({ id }) => id === nodeId);
    expectThat(found !== undefined, `${who.name} does not see the node ${nodeId}.`);
    return found;
  }

  /** The newest delivery of the node as `who` sees it. */
  async delivery({ nodeId }: Offer, who: Actor): Promise<WireDelivery> {
    const { data } = await who.client.get<{ data: WireDelivery[] }>(`/v1/deliveries?task_id=${this.task.id}&limit=100`);
    const found = data.find(({ node_id }) => node_id === nodeId);
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

  private async act<P extends Meaning['type']>(
    who: Actor,
    request: IntentRequest,
    meaning: Meaning<P>,
  ): Promise<Mined> {
    return this.finish(who, request.scope, await who.prepare(request, () => meaning));
  }

  /** The wallet sends the ready call without a signature and submits the transaction's hash. */
  private async send(who: Actor, scope: Scope, { action_id: id, payload }: PreparedAction): Promise<Mined> {
    const { transaction } = payload;
    expectThat(
      transaction !== undefined && transaction.to === this.task.escrow,
      'The ready call is not for the escrow.',
    );
    const mined = await this.task.context.chain.send(who.wallet, transaction.to, transaction.data);
    await who.submit(scope, id, { transaction_hash: mined.hash });
    await who.confirmed(id);
    return mined;
  }

  private review({ nodeId, terms }: Offer, operation: string, body: object): Required<IntentRequest> {
    return isRootPath(terms.nodeId)
      ? { scope: 'buyer', path: `/v1/tasks/${this.task.id}/${operation}`, body }
      : { scope: 'worker', path: `${this.path(nodeId)}/${operation}`, body };
  }

  private path(nodeId: string): string {
    return `/v1/tasks/${this.task.id}/nodes/${nodeId}`;
  }

  private get token(): string {
    return this.task.context.file.usdc_address;
  }
}

/** SHA-256 of bytes as 0x-hex: the name of an artifact. */
export function sha256Of(bytes: Uint8Array): Hex {
  return `0x${createHash('sha256').update(bytes).digest('hex')}`;
}
