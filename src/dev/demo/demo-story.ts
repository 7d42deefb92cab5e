import { FundingMode } from '#libs/contracts';
import { formatUsdc, nodeIdOf } from '#libs/kernel';
import { LOCAL_CHAIN_ID } from '../anvil.js';
import { LocalChain, type Mined } from '../local-chain.js';
import type { LocalFile } from '../local-file.js';
import { ActionSigner } from '../market/action-signer.js';
import type { Backstage } from '../market/backstage.js';
import { Hiring, type Offer } from '../market/hiring.js';
import { agentOf } from '../market/participant.js';
import { usdc } from '../market/scene.js';
import { TaskTree } from '../market/task-tree.js';
import { getJson } from '../market-view.js';
import { Abandonment } from './demo-abandonment.js';
import { booksIndexed, booksOnChain, closeBooks, receiptsOverHttp } from './demo-books.js';
import { player, type Player } from './demo-people.js';
import { expectThat, type Teller } from './teller.js';

const DAY_SECONDS = 86_400;
const CONFIRM_MS = 10_000;
const POLL_MS = 100;

const PRICE = usdc(250);
/** Lena pays the first proofreader from her own wallet; it comes back and pays for the second, but for 10. */
const FIRST_CHILD = usdc(40);
const SECOND_CHILD = usdc(30);
const ROOT_WITHDRAWN = usdc(240);
const REFUND_WITHDRAWN = usdc(6);

/** The whole life of one task, as a person would watch it. */
export class DemoStory {
  private constructor(
    private readonly file: LocalFile,
    private readonly backstage: Backstage,
    private readonly chain: LocalChain,
    private readonly teller: Teller,
    private readonly people: { ada: Player; lena: Player; pavel: Player; dara: Player },
    private readonly tree: TaskTree,
    private readonly hiring: Hiring,
  ) {}

  /** Plays it to the end. Throws DemoMismatch when anything is not as it has to be. */
  static async play(file: LocalFile, backstage: Backstage, chain: LocalChain, teller: Teller): Promise<void> {
    const find = (name: string): Promise<Player> => player(backstage, file, name);
    const people = {
      ada: await find('Ada'),
      lena: await find('Lena'),
      pavel: await find('Pavel'),
      dara: await find('Dara'),
    };
    const task = await backstage.drafts.create(people.ada.participant.account, {
      title: 'Translate 40 pages into German and have them proofread',
      brief:
        'Translate the 40 pages of our catalogue from English into German. Somebody else has to proofread the translation.',
      criteria: ['All 40 pages are translated', 'A proofreader has signed the list of changes'],
      budget: usdc(300),
      selectionMode: 'manual',
    });
    const stage = { usdc: file.usdc_address, factory: file.escrow_factory_address };
    const signer = new ActionSigner(backstage, { chainId: LOCAL_CHAIN_ID, usdc: stage.usdc });
    const tree = new TaskTree({ chain, signer, ...stage }, task, people.ada.participant);
    const story = new DemoStory(
      file,
      backstage,
      chain,
      teller,
      people,
      tree,
      new Hiring(tree, backstage, LOCAL_CHAIN_ID),
    );
    await story.publish();
    const root = await story.hire();
    const second = await story.subcontracts(root);
    await story.work(root, second);
    await story.payouts(root, second);
    await story.books(root, second);
  }

  private async publish(): Promise<void> {
    const { tree, teller, people } = this;
    await this.mined(await tree.publish(), 'Ada creates a task with a budget of 300.00 USDC', tree.task.id);
    await this.status('open');
    const matches = await this.get<{ data: { agent: { name: string }; score: number; reason?: string }[] }>(
      `/v1/tasks/${tree.task.id}/matches?limit=5`,
      people.ada.local.keys.read,
    );
    const [best] = matches.data;
    expectThat(best !== undefined, 'No agent matches the task.');
    const why = best.reason === undefined ? '' : ` “${best.reason}”`;
    teller.step(
      'http',
      `${matches.data.length} agents match; best: ${best.agent.name}, ${best.score}${why}`,
      `GET /v1/tasks/${tree.task.id}/matches`,
    );
  }

  private async hire(): Promise<Offer> {
    const { ada, lena } = this.people;
    const root = await this.quote(lena, 'Lingua-7', PRICE, {});
    await this.mined(await this.hiring.select(root), 'Ada chooses Lingua-7');
    await this.status('selected');
    await this.mined(
      await this.hiring.fund(root),
      `Ada puts ${formatUsdc(PRICE)} USDC in escrow (one EIP-3009 signature)`,
      ada.local.wallet_address,
    );
    await this.status('funded');
    return root;
  }

  /** Hires, loses and replaces a proofreader; gives the one who does the work. */
  private async subcontracts(root: Offer): Promise<Offer> {
    const { pavel, dara } = this.people;
    const first = await this.quote(pavel, 'ProofBot', FIRST_CHILD, { parent: root, hirerFunded: true });
    await this.mined(
      await this.hiring.subcontract(first),
      `Lingua-7 hires ProofBot for ${formatUsdc(FIRST_CHILD)} USDC of its own`,
    );
    await this.abandon(first);
    const second = await this.quote(dara, 'DataMiner-3', SECOND_CHILD, { parent: root, hirerFunded: true });
    const hired = await this.hiring.subcontract(second, FundingMode.RefundBalance);
    await this.mined(
      hired,
      `Lingua-7 hires DataMiner-3 for ${formatUsdc(SECOND_CHILD)} USDC of the returned money; no token moves`,
    );
    return second;
  }

  /** Operation 1: over HTTP with an API key, checked, signed by the worker's wallet, mined. */
  private async abandon(offer: Offer): Promise<void> {
    const { teller, tree } = this;
    const { pavel, lena } = this.people;
    const number = offer.terms.nodeId;
    const nodeId = nodeIdOf(tree.task.id, number);
    const node = {
      baseUrl: this.file.base_url,
      account: pavel.local,
      worker: pavel.participant,
      tree,
      number,
      nodeId,
      amount: offer.terms.amount,
    };
    const operation = new Abandonment(node);
    const { action, text } = await operation.prepare();
    teller.step(
      'http',
      'ProofBot gives up: operation 1 prepares the action; kind, digest and typed data are checked',
      `POST …/nodes/${nodeId}/abandon-intents → ${action.action_id}`,
    );
    const replay = await operation.replay();
    expectThat(replay.text === text && replay.marked, 'The replay of operation 1 is not the same action.');
    teller.step(
      'http',
      'The same request with the same Idempotency-Key gives the same bytes',
      'Idempotent-Replayed: true',
    );
    teller.refusal(`the same key for another request: 409 ${await operation.reuse()}`);
    await this.mined(
      await operation.sign(action),
      `ProofBot's wallet signs; ${formatUsdc(offer.terms.amount)} USDC go back to Lingua-7`,
    );
    await this.confirmed(action.action_id, pavel.local.keys.read);
    teller.refusal(`abandoning it twice: 409 ${await operation.again()}`);
    const nodes = await this.nodes(lena.local.keys.read);
    const given = nodes.find(({ id }) => id === nodeId);
    expectThat(
      given?.state === 'refunded' && given.outcome === 'abandoned',
      'The abandoned node is not shown as refunded, abandoned.',
    );
  }

  private async work(root: Offer, second: Offer): Promise<void> {
    const { tree } = this;
    const { ada, lena, dara } = this.people;
    const [rootNumber, childNumber] = [root.terms.nodeId, second.terms.nodeId];
    await this.mined(
      await tree.deliver(childNumber, dara.participant, 'List of 212 changes'),
      'DataMiner-3 delivers the proofreading',
    );
    await this.mined(await tree.accept(childNumber, lena.participant), 'Lingua-7 accepts it');
    await this.mined(
      await tree.deliver(rootNumber, lena.participant, 'Catalogue, German, 40 pages'),
      'Lingua-7 delivers the translation',
    );
    await this.status('delivered');
    await this.mined(await tree.accept(rootNumber, ada.participant), 'Ada accepts');
    await this.status('resolved');
  }

  private async payouts(root: Offer, second: Offer): Promise<void> {
    const { tree } = this;
    const { lena, dara } = this.people;
    const child = await tree.withdrawEarnings(second.terms.nodeId, dara.participant, SECOND_CHILD);
    await this.mined(child, `DataMiner-3 withdraws ${formatUsdc(SECOND_CHILD)} USDC`);
    const earned = await tree.withdrawEarnings(root.terms.nodeId, lena.participant, ROOT_WITHDRAWN);
    await this.mined(earned, `Lingua-7 withdraws ${formatUsdc(ROOT_WITHDRAWN)} of its ${formatUsdc(PRICE)} USDC`);
    const refund = await tree.withdrawRefund(lena.participant, REFUND_WITHDRAWN);
    await this.mined(refund, `Lingua-7 takes ${formatUsdc(REFUND_WITHDRAWN)} of the money that came back to it`);
  }

  private async books(root: Offer, second: Offer): Promise<void> {
    const { teller, tree, people } = this;
    const own = {
      funded: PRICE + FIRST_CHILD,
      held: PRICE - ROOT_WITHDRAWN,
      paid: SECOND_CHILD + ROOT_WITHDRAWN + REFUND_WITHDRAWN,
      refundable: FIRST_CHILD - SECOND_CHILD - REFUND_WITHDRAWN,
    };
    const chain = await booksOnChain(
      tree,
      [root.terms.nodeId, second.terms.nodeId],
      [people.ada, people.lena].map(({ local }) => local.wallet_address),
    );
    closeBooks(own, chain, await booksIndexed(this.backstage, tree.task.id));
    const { released, refunded } = await receiptsOverHttp(this.file.base_url, people.ada.local.keys.read, tree.task.id);
    expectThat(
      released === PRICE + SECOND_CHILD,
      `The receipts say ${formatUsdc(released)} released, not ${formatUsdc(PRICE + SECOND_CHILD)}.`,
    );
    expectThat(
      refunded === FIRST_CHILD,
      `The receipts say ${formatUsdc(refunded)} refunded, not ${formatUsdc(FIRST_CHILD)}.`,
    );
    teller.line();
    teller.line(
      `Books: ${formatUsdc(own.funded)} funded = ${formatUsdc(own.held)} held + ${formatUsdc(own.paid)} paid + ${formatUsdc(own.refundable)} refundable; ` +
        `the escrow holds ${formatUsdc(chain.balance)} USDC. ✓ chain, service and story agree to the base unit`,
    );
  }

  /** A signed offer, shown to the one who would pay. */
  private async quote(
    who: Player,
    agentName: string,
    price: bigint,
    under: { parent?: Offer; hirerFunded?: boolean },
  ): Promise<Offer> {
    await this.backstage.indexed(this.chain.lastBlock);
    const now = Math.floor(this.backstage.nowMs / 1000);
    const deadline = now + (under.parent ? 5 : 7) * DAY_SECONDS;
    const offer = await this.hiring.quote(who.participant, agentOf(who.participant, agentName), {
      price,
      deadline,
      validUntil: now + DAY_SECONDS,
      ...under,
    });
    const payer = under.parent ? this.people.lena : this.people.ada;
    const quotes = await this.get<{ data: { id: string }[] }>(
      `/v1/quotes?task_id=${this.tree.task.id}&limit=100`,
      payer.local.keys.read,
    );
    expectThat(
      quotes.data.some(({ id }) => id === offer.quote.id),
      `The quote ${offer.quote.id} is not shown to the one who would pay.`,
    );
    this.teller.step(
      'contract',
      `${agentName} offers to do it for ${formatUsdc(price)} USDC (signed, costs no gas)`,
      offer.quote.id,
    );
    return offer;
  }

  /** Tells of a mined transaction once the service has indexed it. */
  private async mined(mined: Mined, text: string, detail = ''): Promise<void> {
    await this.backstage.indexed(mined);
    this.teller.step('contract', text, `tx ${mined.hash}${detail === '' ? '' : `  ${detail}`}`);
  }

  private async status(wanted: string): Promise<void> {
    const { status } = await this.get<{ status: string }>(
      `/v1/tasks/${this.tree.task.id}`,
      this.people.ada.local.keys.read,
    );
    expectThat(status === wanted, `The task is shown as ${status}, not as ${wanted}.`);
  }

  private async confirmed(actionId: string, key: string): Promise<void> {
    for (let waited = 0; waited < CONFIRM_MS; waited += POLL_MS) {
      const { status } = await this.get<{ status: string }>(`/v1/actions/${actionId}`, key);
      if (status === 'confirmed' || status === 'final') return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    expectThat(false, `The action ${actionId} is not shown as confirmed.`);
  }

  private async nodes(key: string): Promise<{ id: string; state: string; outcome?: string }[]> {
    const page = await this.get<{ data: { id: string; state: string; outcome?: string }[] }>(
      `/v1/tasks/${this.tree.task.id}/nodes`,
      key,
    );
    return page.data;
  }

  private get<T>(path: string, key: string): Promise<T> {
    return getJson<T>(`${this.file.base_url}${path}`, key);
  }
}
