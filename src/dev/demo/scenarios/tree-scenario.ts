import { randomUUID } from 'node:crypto';
import {
  actionIdHash,
  decodeAmountResult,
  encodeBalanceOfCall,
  encodeRuleDispute,
  nodeNonce,
  senderAuth,
} from '#libs/contracts';
import { EMPTY_REQUEST_DIGEST, formatUsdc } from '#libs/kernel';
import { hashOf } from '../../sample-market/seeds/task-tree.js';
import { usdc } from '../../sample-market/scenarios/scenario-context.js';
import { CATALOGUE, PROOF_LOG, TERMS } from './demo-artifacts.js';
import type { Books } from './demo-books.js';
import type { DemoContext } from './demo-context.js';
import { type DemoAgent, DemoTask, type Offer } from './demo-task.js';
import { DemoWork, sha256Of } from './demo-work.js';
import { errorCode } from '../parties/market-client.js';
import type { Actor } from '../parties/actor.js';
import { LONGEST_EVENT_WAIT_MS } from '../parties/longest-event-wait.js';
import { expectThat } from '../parties/step-reporter.js';

const DAY = 86_400;
const BUDGET = usdc(300);
const ROOT = usdc(250);
/** The most that Lena may promise to helpers out of her 250, and her part if an arbiter who was asked stays silent. */
const FLOOR = usdc(150);
/** Lena pays the first helper from her own wallet; it comes back to her in the tree. */
const LOST = usdc(40);
/** Pavel's price, out of Lena's 250, and Dara's price, out of Pavel's 60. */
const CHILD = usdc(60);
const GRANDCHILD = usdc(20);
/** What the arbiter gives Pavel; the rest of his 60 goes back to Lena's node. */
const RULED = usdc(45);
const REASON = 'The log does not say on which pages nothing was changed.';
const POLL_MS = 150;

interface WireEarnings {
  task_id: string;
  claimable: string;
}

export interface DemoAgents {
  translator: DemoAgent;
  proofreader: DemoAgent;
  terminologist: DemoAgent;
}

/** A task of three levels with an abandonment and a contested rejection, from its creation to the last withdrawal. */
export class TreeScenario {
  private constructor(
    private readonly context: DemoContext,
    private readonly task: DemoTask,
    private readonly work: DemoWork,
    private readonly agents: DemoAgents,
    private readonly arbiter: Actor,
  ) {}

  /** Runs the scenario and returns the task with its expected books. */
  static async run(context: DemoContext, agents: DemoAgents): Promise<{ task: DemoTask; books: Books }> {
    const [ada, iris] = [context.actor('Ada'), context.actor('Iris')];
    const task = await DemoTask.create(context, ada, {
      title: 'Translation of a machine catalogue from English into German',
      brief:
        'Translate our catalogue of machines and spare parts, 40 pages, from English into German, with proofreading and terminology by others.',
      criteria: ['All 40 pages are translated', 'A proofreader has logged every change'],
      budget: BUDGET,
      selectionMode: 'manual',
      arbiter: iris.address,
    });
    context.reporter.step(
      `Ada creates a task of up to ${formatUsdc(BUDGET)} USDC and names Iris as arbiter: one signature, no transaction`,
      `POST /v1/task-creation-intents → ${task.id}`,
    );
    await task.waitsAs('open');
    const scenario = new TreeScenario(context, task, new DemoWork(task), agents, iris);
    await scenario.matches();
    const root = await scenario.hire();
    await scenario.abandonment(root);
    const { child, grandchild } = await scenario.subcontracts(root);
    await scenario.lowest(child, grandchild);
    await scenario.dispute(root, child);
    await scenario.delivery(root);
    await scenario.payouts(child, grandchild);
    const paid = ROOT;
    return { task, books: { funded: ROOT + LOST, held: 0n, paid, refundable: LOST } };
  }

  private async matches(): Promise<void> {
    const { task, agents, context } = this;
    const path = `/v1/tasks/${task.id}/matches?limit=100`;
    const { data } = await task.buyer.client.get<{ data: { agent: { id: string; name: string }; score: number }[] }>(
      path,
    );
    const own = new Set(Object.values(agents).map(({ id }) => id));
    const shown = data.filter(({ agent }) => own.has(agent.id));
    expectThat(shown.length === own.size, `Only ${shown.length} of the three new agents match the task.`);
    const [best] = data;
    context.reporter.step(
      `The service ranks ${data.length} agents for it; first is ${best?.agent.name ?? ''} with ${best?.score ?? 0}`,
      `GET ${path}`,
    );
  }

  private async hire(): Promise<Offer> {
    const { task, agents, context } = this;
    const root = await task.quote({ agent: agents.translator, price: ROOT, floor: FLOOR, within: 7 * DAY });
    context.reporter.step(
      `Lena's ${agents.translator.name} offers to do it for ${formatUsdc(ROOT)} USDC within 7 days of the payment, at most ${formatUsdc(FLOOR)} of it for helpers; signed, free of gas`,
      `POST /v1/quotes → ${root.quoteId}`,
    );
    await task.select(root, 'manual');
    context.reporter.step(
      `Ada selects it: she signs exactly the terms that Lena has signed`,
      'POST …/selection-intents',
    );
    await task.waitsAs('selected');
    const { hash } = await task.fund(root, context.approval);
    context.reporter.step(
      `Ada pays ${formatUsdc(ROOT)} USDC into the escrow: one EIP-3009 signature, one transaction that also deploys the escrow`,
      `tx ${hash}`,
    );
    await task.waitsAs('funded');
    return root;
  }

  /** Abandons a node (abandon-intents), and shows the effect of its Idempotency-Key. */
  private async abandonment(root: Offer): Promise<void> {
    const { task, work, agents, context } = this;
    const { reporter } = context;
    const { terminologist: agent } = agents;
    const under = { under: root, hirerFunded: true };
    const lost = await task.quote({ agent, price: LOST, within: 4 * DAY, ...under });
    const { hash } = await task.subcontract(lost, root);
    reporter.step(`Lena hires Dara's ${agent.name} for ${formatUsdc(LOST)} USDC from her own wallet`, `tx ${hash}`);
    const action = await work.prepareAbandonment(lost);
    const path = `/v1/tasks/${task.id}/nodes/${lost.nodeId}/abandon-intents`;
    reporter.step(
      'Dara gives it up: operation 1 prepares the action; kind, digest and typed data are checked before signing',
      `POST ${path} → ${action.action_id}`,
    );
    const { client } = agent.owner;
    const key = randomUUID();
    const [first, replay] = [
      await client.request('worker', 'POST', path, { key }),
      await client.request('worker', 'POST', path, { key }),
    ];
    expectThat(first.status === 200 && replay.text === first.text, 'The replay of operation 1 is not the same answer.');
    expectThat(replay.headers.get('idempotent-replayed') === 'true', 'The replay of operation 1 is not marked as one.');
    reporter.step(
      'A request that is repeated with its Idempotency-Key gets the same bytes',
      'Idempotent-Replayed: true',
    );
    const other = await client.request('worker', 'POST', path, { key, body: { note: 'another request' } });
    expectThat(other.status === 409, `The same key for another request was answered ${other.status}.`);
    reporter.refusal(`the same key for another request: 409 ${errorCode(other)}`);
    const { hash: given } = await work.finish(agent.owner, 'worker', action);
    reporter.step(`Dara's wallet signs; ${formatUsdc(LOST)} USDC are Lena's again, inside the tree`, `tx ${given}`);
    await work.waitsAs(lost, agent.owner, 'refunded, abandoned');
    const again = await client.request('worker', 'POST', path);
    expectThat(again.status === 409, `Giving up twice was answered ${again.status}.`);
    reporter.refusal(`giving it up again: 409 ${errorCode(again)}`);
  }

  /** Hires on two levels below the root. Each is paid out of the node above, so no token moves. */
  private async subcontracts(root: Offer): Promise<{ child: Offer; grandchild: Offer }> {
    const { task, work, agents, context } = this;
    const child = await task.quote({ agent: agents.proofreader, price: CHILD, within: 5 * DAY, under: root });
    const hired = await task.subcontract(child, root);
    context.reporter.step(
      `Lena hires Pavel's ${agents.proofreader.name} for ${formatUsdc(CHILD)} USDC out of her ${formatUsdc(ROOT)}`,
      `tx ${hired.hash}`,
    );
    const grandchild = await task.quote({
      agent: agents.terminologist,
      price: GRANDCHILD,
      within: 3 * DAY,
      under: child,
    });
    const below = await task.subcontract(grandchild, child);
    context.reporter.step(
      `Pavel hires Dara's ${agents.terminologist.name} for ${formatUsdc(GRANDCHILD)} USDC out of his ${formatUsdc(CHILD)}: a tree of three levels`,
      `tx ${below.hash}`,
    );
    await work.waitsAs(grandchild, agents.terminologist.owner, 'funded');
    return { child, grandchild };
  }

  private async lowest(child: Offer, grandchild: Offer): Promise<void> {
    const { work, context } = this;
    const delivered = await work.deliver(grandchild, TERMS);
    context.reporter.step('Dara uploads the terms and delivers them', `PUT /v1/artifacts/… · tx ${delivered.hash}`);
    await work.waitsAs(grandchild, child.agent.owner, 'delivered');
    const accepted = await work.accept(grandchild, TERMS, { sentByItself: true });
    context.reporter.step(
      'Pavel accepts; this time the wallet sends the ready call itself, without a signature',
      `tx ${accepted.hash}`,
    );
    await work.waitsAs(grandchild, grandchild.agent.owner, 'released, accepted');
  }

  /** A rejection is contested, and the arbiter rules on it. */
  private async dispute(root: Offer, child: Offer): Promise<void> {
    const { work, context } = this;
    const { reporter } = context;
    const delivered = await work.deliver(child, PROOF_LOG);
    reporter.step('Pavel uploads his log of changes and delivers', `tx ${delivered.hash}`);
    const rejected = await work.reject(child, PROOF_LOG, REASON);
    const { rejection_reason: read } = await work.delivery(child, child.agent.owner);
    expectThat(read === REASON, 'The worker does not read the reason of the rejection.');
    reporter.step(`Lena rejects it; Pavel reads why: “${REASON}”`, `tx ${rejected.hash}`);
    await work.waitsAs(child, child.agent.owner, 'rejected');
    const contested = await work.contest(child, 'Pages without a change were not asked for.');
    reporter.step('Pavel contests the rejection before the arbiter', `tx ${contested.hash}`);
    await work.waitsAs(child, child.agent.owner, 'disputed');
    const ruled = await this.rule(child);
    reporter.step(
      `Iris rules: ${formatUsdc(RULED)} of the ${formatUsdc(CHILD)} USDC for Pavel (the arbiter's own call of the contract: no HTTP operation is for it)`,
      `tx ${ruled}`,
      'past http',
    );
    await this.until(child, root.agent.owner, 'released');
    await work.waitsAs(child, child.hirer, 'released, ruled');
  }

  private async delivery(root: Offer): Promise<void> {
    const { work, context, task } = this;
    const { reporter } = context;
    const { client } = task.buyer;
    const delivered = await work.deliver(root, CATALOGUE);
    reporter.step('Lena uploads the catalogue in German and delivers the task', `tx ${delivered.hash}`);
    await task.waitsAs('delivered');
    const { url } = await client.get<{ url: string }>(`/v1/tasks/${task.id}/preview`);
    const page = await fetch(url, { headers: { Accept: 'application/json' } });
    const preview: { delivery?: { artifact?: { bytes: number; excerpt?: string } } } = await page.json();
    const excerpt = preview.delivery?.artifact?.excerpt;
    expectThat(
      excerpt !== undefined && excerpt.length > 0 && CATALOGUE.startsWith(excerpt),
      'The preview does not show how the delivered text begins.',
    );
    reporter.step(
      `Ada opens the preview: how the ${preview.delivery?.artifact?.bytes ?? 0} bytes begin, not the work itself`,
      `“${excerpt.split('\n').find((line) => line.startsWith('Seite')) ?? ''} …”`,
    );
    const { id } = await work.delivery(root, task.buyer);
    const early = await client.request('read', 'GET', `/v1/deliveries/${id}/artifact`);
    expectThat(early.status === 409, `The whole artifact before the release was answered ${early.status}.`);
    reporter.refusal(`the whole work before it is released: 409 ${errorCode(early)}`);
    const own = ROOT - RULED;
    const before = await this.balanceOf(root.agent.owner);
    const accepted = await work.accept(root, CATALOGUE);
    const paid = (await this.balanceOf(root.agent.owner)) - before;
    expectThat(paid === own, `Lena's wallet got ${formatUsdc(paid)} USDC with the acceptance, not ${formatUsdc(own)}.`);
    reporter.step(
      `Ada accepts: ${formatUsdc(ROOT)} USDC are released; Lena's wallet gets her ${formatUsdc(own)} in the same transaction`,
      `tx ${accepted.hash}`,
    );
    await task.waitsAs('resolved');
    const { url: link } = await client.get<{ url: string }>(`/v1/deliveries/${id}/artifact`);
    const bytes = new Uint8Array(await (await fetch(link)).arrayBuffer());
    expectThat(sha256Of(bytes) === hashOf(CATALOGUE), 'The artifact is not the one that was delivered.');
    reporter.step(`Ada downloads the whole work; its SHA-256 is the one on the chain`, `${bytes.length} bytes`);
  }

  /**
   * Workers whose nodes settled before those above withdraw their own earnings: what the node was paid less what it paid
   * to the child.
   */
  private async payouts(child: Offer, grandchild: Offer): Promise<void> {
    const { work, context, task } = this;
    const shares: [Offer, bigint][] = [
      [grandchild, GRANDCHILD],
      [child, RULED - GRANDCHILD],
    ];
    for (const [offer, amount] of shares) {
      const { agent } = offer;
      const { owner } = agent;
      const { by_task: earned } = await owner.client.get<{ by_task: WireEarnings[] }>('/v1/earnings');
      const claimable = earned.find(({ task_id: id }) => id === task.id)?.claimable;
      expectThat(
        claimable === formatUsdc(amount),
        `${owner.name}'s earnings in the task are shown as ${claimable ?? 'nothing'}, not as ${formatUsdc(amount)}.`,
      );
      const { hash } = await work.withdrawEarnings(offer, amount);
      context.reporter.step(
        `${owner.name} withdraws the ${formatUsdc(amount)} USDC that ${agent.name} has earned`,
        `tx ${hash}`,
      );
    }
    context.reporter.waits(
      `Lena's ${formatUsdc(LOST)} USDC that came back stay in the tree: she may withdraw them whenever she likes.`,
    );
  }

  /** The arbiter's wallet sends the call by itself. */
  private async rule(child: Offer): Promise<string> {
    const { context, task, arbiter } = this;
    const { version } = await task.stored(child);
    const fields = {
      actionId: actionIdHash(`ruling_${child.nodeId}`),
      requestDigest: EMPTY_REQUEST_DIGEST,
      nonce: nodeNonce(child.terms.nodeId, version),
      validUntil: BigInt((await context.chain.now()) + DAY),
    };
    const ruling = hashOf('The log is what was asked for; a quarter off because three entries are wrong.');
    const data = encodeRuleDispute(child.terms.nodeId, RULED, ruling, senderAuth(fields));
    return (await context.chain.send(arbiter.wallet, task.escrow, data)).hash;
  }

  private async balanceOf({ address }: Actor): Promise<bigint> {
    const { file } = this.context;
    return decodeAmountResult(await this.context.view(file.usdc_address, encodeBalanceOfCall(address)));
  }

  private async until(offer: Offer, who: Actor, state: string): Promise<void> {
    for (let waited = 0; waited < LONGEST_EVENT_WAIT_MS; waited += POLL_MS) {
      if ((await this.work.node(offer, who)).state === state) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
