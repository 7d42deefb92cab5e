import { decodeNodeResult, encodeNodeCall, FundingMode, type NodeTerms, type StoredNode } from '#libs/contracts';
import { formatUsdc, type Hex, nodeIdOf, nodePathOf, parentPath, requestDigest } from '#libs/kernel';
import type { Mined } from '../../local-chain/local-chain.js';
import type { Meaning, PreparedAction } from '../parties/action-check.js';
import { type Approval, byProgram } from '../approval/approval.js';
import type { DemoContext } from './demo-context.js';
import type { Actor } from '../parties/actor.js';
import { expectThat } from '../parties/step-reporter.js';

/** What a buyer says about a task. */
export interface TaskWords {
  title: string;
  brief: string;
  criteria: readonly string[];
  /** Base units. */
  budget: bigint;
  selectionMode: 'manual' | 'auto';
  /** Wallet that may rule on disputes. */
  arbiter?: string;
}

/** A published agent and its owner. */
export interface DemoAgent {
  id: string;
  name: string;
  owner: Actor;
}

/** What a worker asks for in a quote. */
export interface Ask {
  agent: DemoAgent;
  /** Base units. */
  price: bigint;
  /** Base units. Absent: half the price, as the service takes it. */
  floor?: bigint;
  /** Seconds to work, from the payment on. */
  within: number;
  /** The node to work under; absent: a root node. */
  under?: Offer;
  /** True: the hirer pays from its own wallet, not out of its node. */
  hirerFunded?: boolean;
}

/** A signed offer, and the node that it becomes. */
export interface Offer {
  quoteId: string;
  nodeId: string;
  terms: NodeTerms;
  agent: DemoAgent;
  hirer: Actor;
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Windows of a task that names none, in seconds. rule: docs/decisions/interface.md#fields-and-ranges */
const ACCEPT_WINDOW = 259_200;
const DELIVERY_WINDOW = 604_800;
/** How often a worker may deliver again by an offer that does not say. rule: as above */
const MAX_REVISIONS = 3;

/** One task and its hiring, done over HTTP as its buyer and its workers would. */
export class DemoTask {
  private constructor(
    readonly context: DemoContext,
    readonly buyer: Actor,
    readonly id: string,
    readonly escrow: Hex,
    readonly arbiter: string,
    private readonly termsHash: Hex,
  ) {}

  /** Prepares, checks and signs a new task. It is then open for offers, without any transaction. */
  static async create(context: DemoContext, buyer: Actor, words: TaskWords): Promise<DemoTask> {
    const { title, brief, criteria, budget, selectionMode, arbiter } = words;
    const terms = { brief, criteria, budget: moneyOf(budget) };
    const body = { ...terms, title, selection_mode: selectionMode, ...(arbiter === undefined ? {} : { arbiter }) };
    // The hash of the terms is recomputed from the request, because every offer and signature refers to it.
    const termsHash = requestDigest({
      ...terms,
      accept_window_seconds: ACCEPT_WINDOW,
      delivery_window_seconds: DELIVERY_WINDOW,
      arbiter: arbiter ?? ZERO_ADDRESS,
    });
    const parties = { buyer: buyer.address, arbiter: arbiter ?? ZERO_ADDRESS };
    const own = { ...parties, token: context.file.usdc_address, budget, termsHash };
    let escrow: Hex = '0x';
    const request = { scope: 'buyer', path: '/v1/task-creation-intents', body } as const;
    const action = await buyer.prepare(request, async ({ task_id: taskId }) => {
      escrow = await context.escrowOf({ ...parties, taskId });
      return { kind: 'create_task', escrow, taskId, type: 'CreateTask', own };
    });
    await buyer.sign('buyer', action);
    return new DemoTask(context, buyer, action.task_id, escrow, parties.arbiter, termsHash);
  }

  /** Signs an offer and returns it once the payer can see it. An offer needs no transaction and no gas. */
  async quote({ agent, price, floor, within, under, hirerFunded = under === undefined }: Ask): Promise<Offer> {
    const worker = agent.owner;
    const parent = under?.terms.nodeId ?? 0n;
    const hirer = under?.agent.owner ?? this.buyer;
    const body = {
      task_id: this.id,
      agent_id: agent.id,
      price: moneyOf(price),
      ...(floor === undefined ? {} : { floor: moneyOf(floor) }),
      work_seconds: within,
      terms_hash: this.termsHash,
      ...(under === undefined ? {} : { parent_node_id: under.nodeId, hirer_funded: hirerFunded }),
    };
    const terms = {
      worker: worker.address,
      amount: price,
      floor: floor ?? price / 2n,
      workSeconds: within,
      acceptWindow: ACCEPT_WINDOW,
      maxRevisions: MAX_REVISIONS,
      hirerFunded,
      termsHash: this.termsHash,
    };
    const { arbiter } = this;
    const others = { hirer: hirer.address, arbiter, token: this.context.file.usdc_address };
    const action = await worker.prepare({ scope: 'worker', path: '/v1/quotes', body }, (prepared) => {
      const nodeId = this.pathIn(prepared, parent);
      return this.meaning('submit_quote', 'SubmitQuote', { terms: { ...terms, nodeId }, ...others });
    });
    await worker.sign('worker', action);
    const nodeId = this.pathIn(action, parent);
    const quoteId = await this.shownTo(hirer, agent, price);
    return { quoteId, nodeId: nodeIdOf(this.id, nodeId), terms: { ...terms, nodeId }, agent, hirer };
  }

  /**
   * The buyer signs an offer's exact terms. With `auto` the service chooses the offer, and the buyer checks and signs
   * it.
   */
  async select(offer: Offer, mode: 'manual' | 'auto'): Promise<void> {
    const body = mode === 'auto' ? { mode } : { mode, agent_id: offer.agent.id };
    const request = { scope: 'buyer', path: `/v1/tasks/${this.id}/selection-intents`, body } as const;
    const own = { terms: offer.terms, token: this.context.file.usdc_address };
    const action = await this.buyer.prepare(request, () =>
      this.meaning('select_agent', 'SelectAgent', own, { nodeId: offer.nodeId }),
    );
    await this.buyer.sign('buyer', action);
  }

  /**
   * Takes up an offer and pays for it with one EIP-3009 signature; the returned call also deploys the tree's escrow.
   * Prepares the action again until `approval` has it signed.
   */
  async fund(offer: Offer, approval: Approval = byProgram): Promise<{ hash: string }> {
    const { terms } = offer;
    const { amount } = terms;
    const own = { terms, token: this.context.file.usdc_address, fundingMode: FundingMode.Authorization3009 };
    const request = { scope: 'buyer', path: `/v1/tasks/${this.id}/funding-intents` } as const;
    const prepare = (): Promise<PreparedAction> =>
      this.buyer.prepare(request, () =>
        this.meaning('fund_task', 'FundTask', own, { nodeId: offer.nodeId, pays: amount }),
      );
    const what = `Put ${formatUsdc(amount)} USDC in escrow`;
    let action = await prepare();
    for (;;) {
      const decision = await approval.decide({ action, who: this.buyer, what });
      if (decision.by === 'page') return decision;
      if (decision.by === 'program') return this.sendFunding(action);
      this.context.reporter.refusal(decision.why);
      action = await prepare();
    }
  }

  private async sendFunding(action: PreparedAction): Promise<Mined> {
    const signed = await this.buyer.sign('buyer', action);
    expectThat((await this.status()) === 'funding_pending', 'A payment was handed in, and the task does not say so.');
    const mined = await this.context.carry(signed.transaction, 'the payment');
    await this.buyer.confirmed(action.action_id);
    return mined;
  }

  /** The worker of the node above accepts an offer for a child node. */
  async subcontract(offer: Offer, under: Offer): Promise<Mined> {
    const { terms, hirer, quoteId } = offer;
    const body = { quote_id: quoteId, accept_window_seconds: terms.acceptWindow };
    const path = `/v1/tasks/${this.id}/nodes/${under.nodeId}/subcontract-intents`;
    const fundingMode = terms.hirerFunded ? FundingMode.Authorization3009 : FundingMode.ParentNode;
    const own = { terms, token: this.context.file.usdc_address, fundingMode };
    const about = { nodeId: under.nodeId, ...(terms.hirerFunded ? { pays: terms.amount } : {}) };
    const action = await hirer.prepare({ scope: 'worker', path, body }, () =>
      this.meaning('subcontract', 'Subcontract', own, about),
    );
    const { transaction } = await hirer.sign('worker', action);
    const mined = await this.context.carry(transaction, 'the subcontract');
    await hirer.confirmed(action.action_id);
    return mined;
  }

  /** Describes what an action of this task must mean. */
  meaning<P extends Meaning['type']>(
    kind: string,
    type: P,
    own: Meaning<P>['own'],
    about: Pick<Meaning<P>, 'nodeId' | 'pays'> = {},
  ): Meaning<P> {
    return { kind, escrow: this.escrow, taskId: this.id, type, own, ...about };
  }

  async status(): Promise<string> {
    return (await this.buyer.client.get<{ status: string }>(`/v1/tasks/${this.id}`)).status;
  }

  /**
   * Throws DemoMismatch unless the service shows the task in this status; then reports the service's `next` sentence.
   */
  async waitsAs(wanted: string): Promise<void> {
    const { status, next } = await this.buyer.client.get<{ status: string; next?: string }>(`/v1/tasks/${this.id}`);
    expectThat(status === wanted, `The task is shown as ${status}, not as ${wanted}.`);
    this.context.reporter.waits(`${status}${next === undefined ? '' : `: ${next}`}`);
  }

  /** The node as the contract holds it now. */
  async stored({ terms }: Offer): Promise<StoredNode> {
    return decodeNodeResult(await this.context.view(this.escrow, encodeNodeCall(terms.nodeId)));
  }

  private pathIn({ node_id: nodeId = '' }: PreparedAction, parent: bigint): bigint {
    const path = nodePathOf(this.id, nodeId);
    expectThat(
      path !== null && parentPath(path) === parent,
      `${nodeId} is no node of ${this.id} below the one that was asked for: not signing.`,
    );
    return path;
  }

  /** Id of the offer as the payer sees it. Throws DemoMismatch when the payer does not. */
  private async shownTo(payer: Actor, agent: DemoAgent, price: bigint): Promise<string> {
    const { data } = await payer.client.get<{ data: WireQuote[] }>(`/v1/quotes?task_id=${this.id}&limit=100`);
    const shown = data.find(
      (one) => one.agent_id === agent.id && one.status === 'submitted' && one.price.amount === formatUsdc(price),
    );
    expectThat(shown !== undefined, `The offer of ${agent.name} is not shown to ${payer.name}, who would pay.`);
    return shown.id;
  }
}

interface WireQuote {
  id: string;
  agent_id: string;
  status: string;
  price: { amount: string };
}

/** Base units as money on the wire. */
function moneyOf(units: bigint): { amount: string; currency: 'USDC' } {
  return { amount: formatUsdc(units), currency: 'USDC' };
}
