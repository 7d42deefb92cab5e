import { id, Interface } from 'ethers';
import { type Actor, type Call, expectSame, IntentsMarket, type Performed, type Way } from './intents-market.js';
import { nodeIdOf, type OfferRecord, sha256, type TaskRecord } from './spec-client.js';
import type { FundingMode, Offering, Paying } from './spec-intents.js';

export const USDC = 1_000_000n;
export const DAY = 86_400;
const TOKEN = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function nonces(address) view returns (uint256)',
  'function approve(address spender, uint256 value)',
]);

const FACTORY = new Interface(['function createTree(address buyer, address arbiter, bytes32 treeId, bytes call)']);

/** A quote that its worker has signed, with the two parties. */
export interface Offer extends OfferRecord {
  quoteId: string;
  worker: Actor;
  payer: Actor;
}

/** The usual steps of a task over HTTP, for specs that test what comes after them. */
export class IntentsScenario {
  constructor(readonly market: IntentsMarket) {}

  /** Publishes a task, which its buyer's signature opens. */
  async task(buyer: Actor, own: Record<string, unknown> = {}): Promise<TaskRecord> {
    const intent = buyer.intents.createTask(this.taskBody(own));
    const { action } = await this.market.sign(buyer, intent);
    return intent.about(action).task;
  }

  taskBody(own: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      title: 'Count words',
      brief: 'Count the words of 40 pages – all of them, "naïve" ones too.',
      criteria: ['The number is right'],
      budget: { amount: '1000.5', currency: 'USDC' },
      selection_mode: 'manual',
      deadline: new Date((this.market.nowSeconds + 20 * DAY) * 1000).toISOString(),
      ...own,
    };
  }

  /** Submits a quote that its worker signs, for the buyer or under a node. */
  async offer(hirer: Actor, worker: Actor, task: TaskRecord, own: Partial<Offering> = {}): Promise<Offer> {
    const now = this.market.nowSeconds;
    // A child has a day less than its parent, at any depth.
    const workSeconds = own.parent === undefined ? 10 * DAY : own.parent.terms.workSeconds - DAY;
    const intent = worker.intents.submitQuote({
      task,
      price: 100n * USDC,
      workSeconds,
      validUntil: now + 2 * DAY,
      ...own,
    });
    const { action, transaction } = await this.market.sign(worker, intent);
    // A quote is only stored and has no call; the action that accepts it carries it to the chain.
    expectSame(transaction, undefined);
    const { terms } = intent.about(action).own as { terms: OfferRecord['terms'] };
    const { agentId } = worker.client.self;
    const { data } = await worker.client.read(`/v1/quotes?task_id=${task.id}`);
    const quoteId = data.find((quote: any) => quote.agent_id === agentId && quote.status === 'submitted').id;
    const { validUntil = 0 } = intent;
    return { task, agentId, hirer: hirer.wallet, terms, validUntil, quoteId, worker, payer: hirer };
  }

  /** Submits a quote, which the buyer's signature selects. */
  async selected(buyer: Actor, worker: Actor, task?: TaskRecord, own: Partial<Offering> = {}): Promise<Offer> {
    const offer = await this.offer(buyer, worker, task ?? (await this.task(buyer)), own);
    await this.market.sign(buyer, buyer.intents.selectAgent(offer));
    return offer;
  }

  /** A funded root node. The money comes in one transaction where the wallet can send one. */
  async funded(buyer: Actor, worker: Actor, own: Partial<Offering> = {}, task?: TaskRecord): Promise<Offer> {
    const offer = await this.selected(buyer, worker, task, own);
    await this.fund(offer, 'authorization', 'signed');
    return offer;
  }

  async fund(offer: Offer, mode: FundingMode, way: Way): Promise<Performed> {
    const { payer } = offer;
    return this.market.perform(payer, payer.intents.fundTask(offer, await this.paying(payer, mode)), way);
  }

  async paying(payer: Actor, mode: FundingMode): Promise<Paying> {
    return { mode, permitNonce: await this.view('nonces', payer.wallet) };
  }

  /** A funded child node, paid from its parent unless `hirerFunded`. */
  async child(parent: Offer, worker: Actor, own: Partial<Offering> = {}): Promise<Offer> {
    const hirer = parent.worker;
    const offer = await this.offer(hirer, worker, parent.task, { parent, price: 10n * USDC, ...own });
    const paying = own.hirerFunded === true ? await this.paying(hirer, 'authorization') : {};
    await this.market.perform(hirer, hirer.intents.subcontract(offer, offer.quoteId, paying), 'signed');
    return offer;
  }

  /**
   * Uploads and delivers the work, to be paid when its worker withdraws unless `payOut`. @returns the hash of the
   * artifact.
   */
  async deliver(
    offer: Offer,
    work = `The work for node ${offer.terms.nodeId}`,
    way: Way = 'signed',
    payOut = false,
  ): Promise<string> {
    const { worker } = offer;
    const artifact = await worker.client.upload(work);
    await this.market.perform(worker, worker.intents.deliver(offer, artifact, payOut), way);
    return sha256(work);
  }

  /** Delivers the work, which the hirer accepts. */
  async accepted(offer: Offer): Promise<void> {
    const hash = await this.deliver(offer);
    await this.market.perform(offer.payer, offer.payer.intents.resolve(offer, hash), 'signed');
  }

  /** The node as its hirer sees it. */
  async node({ task, terms, payer }: Offer): Promise<any> {
    const { data } = await payer.client.read(`/v1/tasks/${task.id}/nodes?limit=100`);
    return data.find(({ id }: any) => id === nodeIdOf(task, terms.nodeId));
  }

  async status(buyer: Actor, { id }: TaskRecord): Promise<string> {
    return (await buyer.client.read(`/v1/tasks/${id}`)).status;
  }

  balance(address: string): Promise<bigint> {
    return this.view('balanceOf', address);
  }

  /** Base units in the escrow of a task. */
  held(buyer: Actor, task: TaskRecord): Promise<bigint> {
    return this.balance(buyer.client.escrowOf(task));
  }

  /** Deploys the escrow of a task, as any stranger can. */
  async deploy({ id: taskId, buyer, arbiter }: TaskRecord): Promise<void> {
    const data = FACTORY.encodeFunctionData('createTree', [buyer, arbiter, id(taskId), '0x']);
    expectSame((await this.market.transact(this.market.relayer, { to: this.market.facts.factory, data })).ok, true);
  }

  /** Lets the spender take this many base units from the payer's wallet. */
  async approve(payer: Actor, spender: string, value: bigint): Promise<void> {
    const call: Call = { to: this.market.facts.token, data: TOKEN.encodeFunctionData('approve', [spender, value]) };
    expectSame((await this.market.transact(payer.wallet, call)).ok, true);
  }

  private async view(name: string, address: string): Promise<bigint> {
    const call = { to: this.market.facts.token, data: TOKEN.encodeFunctionData(name, [address]) };
    return BigInt(await this.market.stack.chain.anvil.rpc<string>('eth_call', call, 'latest'));
  }
}
