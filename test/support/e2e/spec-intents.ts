import { ZeroAddress } from 'ethers';
import {
  above,
  type ClientIdentity,
  type Intent,
  type MarketFacts,
  nodeIdOf,
  nodeOf,
  type OfferRecord,
  sha256,
  type TaskRecord,
  termsHashOf,
} from './spec-client.js';
import { amountOf, identifier, unitsOf, utc } from './spec-values.js';

const ZERO_HASH = `0x${'0'.repeat(64)}`;

export type FundingMode = 'authorization' | 'permit' | 'allowance' | 'refund_balance';

/** Numbers of the ways to pay in the signed struct. */
const MODES = { allowance: 0, authorization: 1, permit: 2, refund_balance: 3 };
const PARENT_NODE = 4;

/** What a worker quotes; money in base units. */
export interface Offering {
  task: TaskRecord;
  price: bigint;
  /** Absent: left to the service, which takes half the price. */
  floor?: bigint;
  /** Seconds from the payment on. */
  workSeconds: number;
  /** Absent: left to the service, which takes 3. */
  maxRevisions?: number;
  /** Unix seconds. */
  validUntil: number;
  /** The node to work under; absent: the quote is for the buyer. */
  parent?: OfferRecord | undefined;
  hirerFunded?: boolean;
}

/** How a payment is made, if not by the escrow's own message alone. */
export interface Paying {
  mode?: FundingMode | undefined;
  /** The payer's next nonce in the token contract; only for a permit. */
  permitNonce?: bigint;
}

/**
 * Every request of the API that prepares an action (docs/decisions/interface.md#operations), with the members that the
 * answered struct must have (docs/decisions/escrow.md#signed-actions), computed from the client's records alone.
 */
export class SpecIntents {
  constructor(
    private readonly market: MarketFacts,
    private readonly self: ClientIdentity,
  ) {}

  /** @param body of prepareTaskCreation, with a deadline. */
  createTask(body: any): Intent {
    const { token } = this.market;
    const buyer = this.self.wallet;
    const arbiter = body.arbiter ?? ZeroAddress;
    const termsHash = termsHashOf(body);
    const acceptWindow = body.accept_window_seconds ?? 259_200;
    return {
      ...to('create_task', 'buyer', '/v1/task-creation-intents'),
      body,
      validUntil: Math.floor(Date.parse(body.deadline) / 1e3),
      about: ({ task_id: id }) => ({
        task: {
          id: identifier(id),
          buyer,
          arbiter,
          termsHash,
          acceptWindow,
        },
        node: null,
        own: {
          buyer,
          arbiter,
          token,
          budget: unitsOf(body.budget.amount),
          termsHash,
        },
      }),
    };
  }

  submitQuote(offering: Offering): Intent {
    const { task, price, floor, workSeconds, maxRevisions, validUntil, parent, hirerFunded } = offering;
    const { agentId, wallet } = this.self;
    const body = {
      task_id: task.id,
      price: { amount: amountOf(price), currency: 'USDC' },
      work_seconds: workSeconds,
      valid_until: utc(validUntil),
      terms_hash: task.termsHash,
      agent_id: agentId,
      ...(parent === undefined ? {} : { parent_node_id: nodeIdOf(task, parent.terms.nodeId) }),
      ...(floor === undefined ? {} : { floor: { amount: amountOf(floor), currency: 'USDC' } }),
      ...(maxRevisions === undefined ? {} : { max_revisions: maxRevisions }),
      ...(hirerFunded === undefined ? {} : { hirer_funded: hirerFunded }),
    };
    return {
      ...to('submit_quote', 'worker', '/v1/quotes'),
      body,
      validUntil,
      about: ({ node_id: id }) => {
        const node = nodeOf(id);
        if (above(node) !== (parent?.terms.nodeId ?? 0n)) throw new TypeError('The node has another place in the tree');
        const own = {
          terms: {
            nodeId: node,
            worker: wallet,
            amount: price,
            floor: floor ?? price / 2n,
            workSeconds,
            acceptWindow: task.acceptWindow,
            maxRevisions: maxRevisions ?? 3,
            termsHash: task.termsHash,
            hirerFunded: parent === undefined || hirerFunded === true,
          },
          hirer: parent?.terms.worker ?? task.buyer,
          arbiter: task.arbiter,
          token: this.market.token,
        };
        return {
          task,
          node,
          own,
        };
      },
    };
  }

  selectAgent({ task, terms, agentId, validUntil }: OfferRecord): Intent {
    return {
      ...to('select_agent', 'buyer', `/v1/tasks/${task.id}/selection-intents`),
      validUntil,
      body: {
        mode: 'manual',
        agent_id: agentId,
      },
      about: () => ({
        task,
        node: terms.nodeId,
        own: {
          terms,
          token: this.market.token,
        },
      }),
    };
  }

  fundTask({ task, terms }: OfferRecord, paying: Paying = {}): Intent {
    return {
      ...to('fund_task', 'buyer', `/v1/tasks/${task.id}/funding-intents`),
      ...this.paid(paying, terms.amount),
      about: () => ({
        task,
        node: terms.nodeId,
        own: {
          terms,
          token: this.market.token,
          fundingMode: MODES[paying.mode ?? 'authorization'],
        },
      }),
    };
  }

  /** @param quoteId id of the quote, as the list of quotes shows it. */
  subcontract({ task, terms }: OfferRecord, quoteId: string, paying: Paying = {}): Intent {
    const { body: paid, payment } = this.paid(paying, terms.amount);
    const node = above(terms.nodeId);
    const { mode = 'authorization' } = paying;
    return {
      kind: 'subcontract',
      scope: 'worker',
      payment,
      path: `/v1/tasks/${task.id}/nodes/${nodeIdOf(task, node)}/subcontract-intents`,
      body: {
        quote_id: quoteId,
        accept_window_seconds: terms.acceptWindow,
        ...paid,
      },
      about: () => ({
        task,
        node,
        own: {
          terms,
          token: this.market.token,
          fundingMode: terms.hirerFunded ? MODES[mode] : PARENT_NODE,
        },
      }),
    };
  }

  /** @param payOut absent: left to the service, which has the node paid out as soon as it settles. */
  deliver(
    { task, terms }: OfferRecord,
    artifact: { artifact_hash: string; custody_receipt: string },
    payOut?: boolean,
  ): Intent {
    const node_id = nodeIdOf(task, terms.nodeId);
    return {
      ...to('deliver', 'worker', '/v1/deliveries'),
      body: {
        task_id: task.id,
        node_id,
        ...artifact,
        ...(payOut === undefined ? {} : { pay_out: payOut }),
      },
      about: () => ({
        task,
        node: terms.nodeId,
        own: {
          nodeId: terms.nodeId,
          artifactHash: artifact.artifact_hash,
          payOut: payOut ?? true,
        },
      }),
    };
  }

  /** @param artifactHash hash of the artifact that the hirer has looked at. */
  resolve(offer: OfferRecord, artifactHash: string): Intent {
    const { nodeId, worker, amount } = offer.terms;
    const own = { nodeId, worker, token: this.market.token, amount, artifactHash };
    return { ...this.review(offer, 'resolution', 'resolve_task', own), body: { resolution: 'accept' } };
  }

  reject(offer: OfferRecord, artifactHash: string, reason?: string): Intent {
    const reasonHash = reason === undefined ? ZERO_HASH : sha256(reason);
    const own = { nodeId: offer.terms.nodeId, artifactHash, reasonHash };
    const intent = this.review(offer, 'reject-intents', 'reject_task', own);
    return reason === undefined ? intent : { ...intent, body: { reason } };
  }

  dispute(offer: OfferRecord, evidenceHash?: string): Intent {
    const own = { nodeId: offer.terms.nodeId, evidenceHash: evidenceHash ?? ZERO_HASH };
    const intent = onNode(offer, 'dispute-intents', { kind: 'dispute_node', scope: 'worker', own });
    return evidenceHash === undefined ? intent : { ...intent, body: { evidence_hash: evidenceHash } };
  }

  claimNonDelivery(offer: OfferRecord): Intent {
    const own = this.nodeMoney(offer);
    return onNode(offer, 'non-delivery-claim-intents', { kind: 'claim_non_delivery', scope: 'read', own });
  }

  abandon(offer: OfferRecord): Intent {
    return onNode(offer, 'abandon-intents', { kind: 'abandon_node', scope: 'worker', own: this.nodeMoney(offer) });
  }

  /** @param amount what the node pays out, in base units. */
  withdrawEarnings({ task, terms }: OfferRecord, recipient: string, amount: bigint): Intent {
    const own = { nodeId: terms.nodeId, recipient, token: this.market.token, amount };
    return {
      ...to('withdraw_earnings', 'worker', '/v1/earnings/withdrawal-intents'),
      body: {
        destination: recipient,
        task_id: task.id,
        node_id: nodeIdOf(task, terms.nodeId),
      },
      about: () => ({
        task,
        node: terms.nodeId,
        own,
      }),
    };
  }

  /** @param amount what has come back, in base units. */
  withdrawRefund(task: TaskRecord, recipient: string, amount: bigint): Intent {
    const own = { account: this.self.wallet, recipient, token: this.market.token, amount };
    return {
      ...to('withdraw_refund', 'buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`),
      body: { destination: recipient },
      about: () => ({
        task,
        node: null,
        own,
      }),
    };
  }

  /** A review: the buyer reviews the task, a worker reviews a child node. The two operations prepare the same kind. */
  private review(offer: OfferRecord, path: string, kind: Intent['kind'], own: Record<string, unknown>): Intent {
    const intent = onNode(offer, path, { kind, scope: 'worker', own });
    if (above(offer.terms.nodeId) !== 0n) return intent;
    return { ...intent, scope: 'buyer', path: `/v1/tasks/${offer.task.id}/${path}` };
  }

  private nodeMoney({ terms: { nodeId, amount } }: OfferRecord): Record<string, unknown> {
    return { nodeId, token: this.market.token, amount };
  }

  /** The token's message, when the money comes by one. */
  private paid({ mode, permitNonce }: Paying, value: bigint): Pick<Intent, 'payment'> & { body?: object } {
    const domain = this.market.tokenDomain;
    const body = mode === undefined ? {} : { body: { funding_mode: mode } };
    if (mode === 'authorization') return { ...body, payment: { type: 'ReceiveWithAuthorization', domain, value } };
    if (mode !== 'permit' || permitNonce === undefined) return body;
    return { ...body, payment: { type: 'Permit', domain, value, permitNonce } };
  }
}

/** The operation, scope and kind of a request. */
function to(kind: Intent['kind'], scope: string, path: string): Pick<Intent, 'kind' | 'scope' | 'path'> {
  return { kind, scope, path };
}

function onNode(
  { task, terms }: OfferRecord,
  path: string,
  { own, ...intent }: Pick<Intent, 'kind' | 'scope'> & { own: Record<string, unknown> },
): Intent {
  return {
    ...intent,
    path: `/v1/tasks/${task.id}/nodes/${nodeIdOf(task, terms.nodeId)}/${path}`,
    about: () => ({ task, node: terms.nodeId, own }),
  };
}
