import { randomUUID } from 'node:crypto';
import { decodeNodeResult, encodeNodeCall, FundingMode, type NodeTerms, type StoredNode } from '#libs/contracts';
import { formatUsdc, type Hex, nodePathOf, requestDigest } from '#libs/kernel';
import { byProgram, type Approval, type Decision } from '../approval/approval.js';
import type { Act, Actor, ShownAction } from '../parties/actor.js';
import { commandLine, faultOf, type Running } from '../parties/tasktree-run.js';
import { expectThat } from '../parties/step-reporter.js';
import type { DemoContext } from './demo-context.js';

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
  /** The command line that made it. */
  line: string;
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Windows of a task that names none, in seconds. rule: docs/decisions/interface.md#fields-and-ranges */
const ACCEPT_WINDOW = 259_200;
const DELIVERY_WINDOW = 604_800;
/** How often a worker may deliver again by an offer that does not say. rule: as above */
const MAX_REVISIONS = 3;
/** What has become of an action that its page has not signed, by the exit code of who waited for it. */
const GONE: Readonly<Record<number, string>> = {
  8: 'It was declined on the page; nothing has moved.',
  9: 'Its time was over before it was signed; nothing has moved.',
};

/** One task and its hiring, done by command lines as its buyer and its workers would. */
export class DemoTask {
  private constructor(
    readonly context: DemoContext,
    readonly buyer: Actor,
    readonly id: string,
    readonly escrow: Hex,
    /** The command line that made it. */
    readonly line: string,
    private readonly arbiter: string | undefined,
    private readonly termsHash: Hex,
  ) {}

  /** Creates a task. It is then open for offers, without any transaction. */
  static async create(context: DemoContext, buyer: Actor, words: TaskWords): Promise<DemoTask> {
    const { title, brief, criteria, budget, selectionMode, arbiter } = words;
    const { line, action } = await buyer.act(
      ['tasks', 'create', '--title', title, '--brief', brief, '--budget', formatUsdc(budget)],
      criteria.flatMap((one) => ['--criterion', one]),
      ['--selection', selectionMode],
      optional('--arbiter', arbiter),
    );
    const taskId = action.task_id;
    const escrow = await context.escrowOf({ buyer: buyer.address, arbiter: arbiter ?? ZERO_ADDRESS, taskId });
    // The hash of the terms is recomputed, because every offer and signature refers to it.
    const termsHash = requestDigest({
      brief,
      criteria,
      budget: { amount: formatUsdc(budget), currency: 'USDC' },
      accept_window_seconds: ACCEPT_WINDOW,
      delivery_window_seconds: DELIVERY_WINDOW,
      arbiter: arbiter ?? ZERO_ADDRESS,
    });
    return new DemoTask(context, buyer, taskId, escrow, line, arbiter, termsHash);
  }

  /** Signs an offer and returns it once the payer can see it. An offer needs no transaction and no gas. */
  async quote({ agent, price, floor, within, under, hirerFunded = under === undefined }: Ask): Promise<Offer> {
    const worker = agent.owner;
    const hirer = under?.agent.owner ?? this.buyer;
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
    const others = { hirer: hirer.address, arbiter: this.arbiter ?? ZERO_ADDRESS, token: this.token };
    const { line, action } = await worker.act(
      ['quotes', 'submit', this.id, '--agent', agent.id, '--price', formatUsdc(price)],
      optional('--floor', floor === undefined ? undefined : formatUsdc(floor)),
      ['--work-seconds', `${within}`, '--terms-hash', this.termsHash],
      optional('--parent-node', under?.nodeId),
      under !== undefined && hirerFunded ? ['--hirer-funded'] : [],
      this.context.expecting({ terms, ...others }),
    );
    const nodeId = action.node_id ?? '';
    const path = nodePathOf(this.id, nodeId);
    expectThat(path !== null, `${nodeId} is no node of ${this.id}.`);
    const quoteId = await this.shownTo(hirer, agent, price);
    return { quoteId, nodeId, terms: { ...terms, nodeId: path }, agent, hirer, line };
  }

  /** The buyer signs an offer's exact terms. With `auto` the service chooses the offer, and the buyer holds it against them. */
  select({ quoteId, terms }: Offer, mode: 'manual' | 'auto'): Promise<Act> {
    return this.buyer.act(
      ['prepare', 'select-agent', this.id],
      mode === 'auto' ? ['--at-most', formatUsdc(terms.amount)] : ['--quote', quoteId],
      optional('--arbiter', this.arbiter),
      this.context.expecting({ terms, token: this.token }),
    );
  }

  /**
   * Takes up an offer and pays for it with one EIP-3009 signature; the call also deploys the tree's escrow. Prepares the
   * action again until `approval` has it signed.
   */
  async fund(offer: Offer, approval: Approval = byProgram): Promise<Pick<Act, 'line' | 'hash'>> {
    const { terms, quoteId } = offer;
    const expected = { terms, token: this.token, fundingMode: FundingMode.Authorization3009 };
    const argv = [
      ['prepare', 'fund-task', this.id, '--quote', quoteId, '--funding-mode', 'authorization'],
      optional('--arbiter', this.arbiter),
      this.context.expecting(expected),
    ].flat();
    if (approval === byProgram) return this.buyer.act(...argv);
    for (;;) {
      // The same key prepares the same action, where it is not signed on its page.
      const own = [...argv, '--idempotency-key', randomUUID()];
      const waiting = this.buyer.start([...own, '--wait']);
      try {
        const action = await waiting.first<ShownAction>();
        const what = `Put ${formatUsdc(terms.amount)} USDC in escrow`;
        const decided = decisionOf([...own, '--wait'], waiting);
        const decision = await approval.decide({ action, who: this.buyer, what, decided });
        if (decision.by === 'page') return { line: commandLine([...argv, '--wait']), hash: decision.hash };
        if (decision.by === 'program') return await this.buyer.act(...own);
        this.context.reporter.refusal(decision.why);
      } finally {
        await waiting.stop();
      }
    }
  }

  /** The worker of the node above accepts an offer for a child node. */
  subcontract({ terms, hirer, quoteId }: Offer, under: Offer): Promise<Act> {
    const fundingMode = terms.hirerFunded ? FundingMode.Authorization3009 : FundingMode.ParentNode;
    return hirer.act(
      ['prepare', 'subcontract', this.id, under.nodeId, '--quote', quoteId],
      ['--accept-window-seconds', `${terms.acceptWindow}`],
      optional('--funding-mode', terms.hirerFunded ? 'authorization' : undefined),
      this.context.expecting({ terms, token: this.token, fundingMode }),
    );
  }

  /**
   * Throws DemoMismatch unless the service shows the task in this status; then reports the service's `next` sentence.
   */
  async waitsAs(wanted: string): Promise<void> {
    const { status, next } = await this.buyer.ask<{ status: string; next?: string }>('tasks', 'show', this.id);
    expectThat(status === wanted, `The task is shown as ${status}, not as ${wanted}.`);
    this.context.reporter.waits(`${status}${next === undefined ? '' : `: ${next}`}`);
  }

  /** The node as the contract holds it now. */
  async stored({ terms }: Offer): Promise<StoredNode> {
    return decodeNodeResult(await this.context.view(this.escrow, encodeNodeCall(terms.nodeId)));
  }

  private get token(): string {
    return this.context.file.usdc_address;
  }

  /** Id of the offer as the payer sees it. Throws DemoMismatch when the payer does not. */
  private async shownTo(payer: Actor, agent: DemoAgent, price: bigint): Promise<string> {
    const quotes = await payer.list<WireQuote>('quotes', 'list', '--task', this.id, '--limit', '100');
    const shown = quotes.find(
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

/** What has become of an action that a command line waits for. Rejects with DemoMismatch where it has failed. */
async function decisionOf(argv: readonly string[], waiting: Running): Promise<Decision> {
  const answer = await waiting.ended;
  const [, record] = answer.lines as [unknown, { transaction_hash?: string } | undefined];
  if (answer.exit === 0 && record?.transaction_hash !== undefined) return { by: 'page', hash: record.transaction_hash };
  const why = answer.err.includes('"action_superseded"') ? 'A newer one took its place.' : GONE[answer.exit ?? 0];
  if (why === undefined) throw faultOf(argv, answer);
  return { by: 'nobody', why };
}

/** An option and its value; absent: nothing. */
function optional(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
