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
import { DemoWork, proofOf, sha256Of } from './demo-work.js';
import type { Actor } from '../parties/actor.js';
import { commandLine } from '../parties/tasktree-run.js';
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
/** Exit code of what does not fit the state of things. */
const CONFLICT = 5;

interface WireEarnings {
  task_id: string;
  claimable: string;
}

/** An answer with its headers. */
interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: { action_id: string };
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
      `${task.line} → ${task.id}`,
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
    const argv = ['matches', task.id, '--limit', '100'];
    const data = await task.buyer.list<{ agent: { id: string; name: string }; score: number }>(...argv);
    const own = new Set(Object.values(agents).map(({ id }) => id));
    const shown = data.filter(({ agent }) => own.has(agent.id));
    expectThat(shown.length === own.size, `Only ${shown.length} of the three new agents match the task.`);
    const [best] = data;
    context.reporter.step(
      `The service ranks ${data.length} agents for it; first is ${best?.agent.name ?? ''} with ${best?.score ?? 0}`,
      commandLine(argv),
    );
  }

  private async hire(): Promise<Offer> {
    const { task, agents, context } = this;
    const root = await task.quote({ agent: agents.translator, price: ROOT, floor: FLOOR, within: 7 * DAY });
    context.reporter.step(
      `Lena's ${agents.translator.name} offers to do it for ${formatUsdc(ROOT)} USDC within 7 days of the payment, at most ${formatUsdc(FLOOR)} of it for helpers; signed, free of gas`,
      `${root.line} → ${root.quoteId}`,
    );
    const { line: selected } = await task.select(root, 'manual');
    context.reporter.step(`Ada selects it: she signs exactly the terms that Lena has signed`, selected);
    await task.waitsAs('selected');
    const paid = await task.fund(root, context.approval);
    context.reporter.step(
      `Ada pays ${formatUsdc(ROOT)} USDC into the escrow: one EIP-3009 signature, one transaction that also deploys the escrow`,
      proofOf(paid),
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
    const hired = await task.subcontract(lost, root);
    reporter.step(`Lena hires Dara's ${agent.name} for ${formatUsdc(LOST)} USDC from her own wallet`, proofOf(hired));
    const { owner: dara } = agent;
    const key = randomUUID();
    const path = `/v1/tasks/${task.id}/nodes/${lost.nodeId}/abandon-intents`;
    const argv = ['api', 'POST', path, '--scope', 'worker', '--include', '--idempotency-key', key];
    const first = await dara.ask<ApiAnswer>(...argv);
    reporter.step(
      'Dara gives it up: operation 1 prepares the action; kind, digest and typed data are checked before signing',
      `${commandLine(argv)} → ${first.body.action_id}`,
    );
    const replay = await dara.ask<ApiAnswer>(...argv);
    const isSame = first.status === 200 && JSON.stringify(replay.body) === JSON.stringify(first.body);
    expectThat(isSame, 'The replay of operation 1 is not the same answer.');
    expectThat(replay.headers['idempotent-replayed'] === 'true', 'The replay of operation 1 is not marked as one.');
    reporter.step(
      'A request that is repeated with its Idempotency-Key gets the same answer',
      'Idempotent-Replayed: true',
    );
    const other = await dara.refused(CONFLICT, ...argv, '-f', 'note=another request');
    reporter.refusal(`the same key for another request: exit ${CONFLICT}, ${other}`);
    const given = await work.abandon(lost, key);
    expectThat(given.action.action_id === first.body.action_id, 'The same key has prepared another action.');
    reporter.step(`Dara's wallet signs; ${formatUsdc(LOST)} USDC are Lena's again, inside the tree`, proofOf(given));
    const [again] = await Promise.all([
      dara.refused(CONFLICT, 'prepare', 'abandon-node', task.id, lost.nodeId),
      work.waitsAs(lost, dara, 'refunded, abandoned'),
    ]);
    reporter.refusal(`giving it up again: exit ${CONFLICT}, ${again}`);
  }

  /** Hires on two levels below the root. Each is paid out of the node above, so no token moves. */
  private async subcontracts(root: Offer): Promise<{ child: Offer; grandchild: Offer }> {
    const { task, work, agents, context } = this;
    const child = await task.quote({ agent: agents.proofreader, price: CHILD, within: 5 * DAY, under: root });
    const hired = await task.subcontract(child, root);
    context.reporter.step(
      `Lena hires Pavel's ${agents.proofreader.name} for ${formatUsdc(CHILD)} USDC out of her ${formatUsdc(ROOT)}`,
      proofOf(hired),
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
      proofOf(below),
    );
    await work.waitsAs(grandchild, agents.terminologist.owner, 'funded');
    return { child, grandchild };
  }

  private async lowest(child: Offer, grandchild: Offer): Promise<void> {
    const { work, context } = this;
    const delivered = await work.deliver(grandchild, TERMS);
    context.reporter.step('Dara uploads the terms and delivers them', proofOf(delivered));
    await work.waitsAs(grandchild, child.agent.owner, 'delivered');
    const accepted = await work.acceptBySending(grandchild);
    context.reporter.step(
      'Pavel accepts; this time the wallet sends the ready call itself, without a signature',
      proofOf(accepted),
    );
    await work.waitsAs(grandchild, grandchild.agent.owner, 'released, accepted');
  }

  /** A rejection is contested, and the arbiter rules on it. */
  private async dispute(root: Offer, child: Offer): Promise<void> {
    const { work, context } = this;
    const { reporter } = context;
    const delivered = await work.deliver(child, PROOF_LOG);
    reporter.step('Pavel uploads his log of changes and delivers', proofOf(delivered));
    const rejected = await work.reject(child, REASON);
    const { rejection_reason: read } = await work.delivery(child, child.agent.owner);
    expectThat(read === REASON, 'The worker does not read the reason of the rejection.');
    reporter.step(`Lena rejects it; Pavel reads why: “${REASON}”`, proofOf(rejected));
    await work.waitsAs(child, child.agent.owner, 'rejected');
    const contested = await work.contest(child, 'Pages without a change were not asked for.');
    reporter.step('Pavel contests the rejection before the arbiter', proofOf(contested));
    await work.waitsAs(child, child.agent.owner, 'disputed');
    const ruled = await this.rule(child);
    reporter.step(
      `Iris rules: ${formatUsdc(RULED)} of the ${formatUsdc(CHILD)} USDC for Pavel (the arbiter's own call of the contract: no command is for it)`,
      `tx ${ruled}`,
      'past the command line',
    );
    await this.until(child, root.agent.owner, 'released');
    await work.waitsAs(child, child.hirer, 'released, ruled');
  }

  private async delivery(root: Offer): Promise<void> {
    const { work, context, task } = this;
    const { reporter } = context;
    const { buyer } = task;
    const delivered = await work.deliver(root, CATALOGUE);
    reporter.step('Lena uploads the catalogue in German and delivers the task', proofOf(delivered));
    await task.waitsAs('delivered');
    const look = ['api', 'GET', `/v1/tasks/${task.id}/preview`];
    const [{ url }, { id }] = await Promise.all([buyer.ask<{ url: string }>(...look), work.delivery(root, buyer)]);
    const page = await fetch(url, { headers: { Accept: 'application/json' } });
    const preview: { delivery?: { artifact?: { bytes: number; excerpt?: string } } } = await page.json();
    const excerpt = preview.delivery?.artifact?.excerpt;
    expectThat(
      excerpt !== undefined && excerpt.length > 0 && CATALOGUE.startsWith(excerpt),
      'The preview does not show how the delivered text begins.',
    );
    reporter.step(
      `Ada opens the preview: how the ${preview.delivery?.artifact?.bytes ?? 0} bytes begin, not the work itself`,
      `${commandLine(look)} → “${excerpt.split('\n').find((line) => line.startsWith('Seite')) ?? ''} …”`,
    );
    const download = ['api', 'GET', `/v1/deliveries/${id}/artifact`];
    const early = await buyer.refused(CONFLICT, ...download);
    reporter.refusal(`the whole work before it is released: exit ${CONFLICT}, ${early}`);
    const own = ROOT - RULED;
    const before = await this.balanceOf(root.agent.owner);
    const accepted = await work.accept(root);
    const paid = (await this.balanceOf(root.agent.owner)) - before;
    expectThat(paid === own, `Lena's wallet got ${formatUsdc(paid)} USDC with the acceptance, not ${formatUsdc(own)}.`);
    reporter.step(
      `Ada accepts: ${formatUsdc(ROOT)} USDC are released; Lena's wallet gets her ${formatUsdc(own)} in the same transaction`,
      proofOf(accepted),
    );
    const [{ url: link }] = await Promise.all([buyer.ask<{ url: string }>(...download), task.waitsAs('resolved')]);
    const bytes = new Uint8Array(await (await fetch(link)).arrayBuffer());
    expectThat(sha256Of(bytes) === hashOf(CATALOGUE), 'The artifact is not the one that was delivered.');
    reporter.step(
      `Ada downloads the whole work; its SHA-256 is the one on the chain`,
      `${commandLine(download)} → ${bytes.length} bytes`,
    );
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
    const withdraw = async ([offer, amount]: [Offer, bigint]): Promise<() => void> => {
      const { agent } = offer;
      const { owner } = agent;
      const { by_task: earned } = await owner.ask<{ by_task: WireEarnings[] }>('earnings');
      const claimable = earned.find(({ task_id: id }) => id === task.id)?.claimable;
      expectThat(
        claimable === formatUsdc(amount),
        `${owner.name}'s earnings in the task are shown as ${claimable ?? 'nothing'}, not as ${formatUsdc(amount)}.`,
      );
      const withdrawn = await work.withdrawEarnings(offer, amount);
      return () =>
        context.reporter.step(
          `${owner.name} withdraws the ${formatUsdc(amount)} USDC that ${agent.name} has earned`,
          proofOf(withdrawn),
        );
    };
    for (const tell of await Promise.all(shares.map(withdraw))) tell();
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
