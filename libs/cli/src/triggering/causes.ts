import type { ActionRecord, components, KnownEventType, MarketEvent } from '#libs/sdk';
import type { LocalParty } from './local-parties.js';

type Schemas = components['schemas'];

const PRICE = { amount: '1.00', currency: 'USDC' } as const;

/** A job in the local market, as far as it has come. */
class Job {
  /** Undefined: what was done belongs to no task. */
  taskId: string | undefined;
  private offer: Schemas['Quote'] | undefined;

  constructor(
    readonly buyer: LocalParty,
    readonly worker: LocalParty,
    private readonly tier: 'public' | 'private_curated',
  ) {}

  async create(isSigned: boolean): Promise<void> {
    const body: Schemas['CreateTaskBody'] = {
      title: 'Triggered by the command line',
      brief: 'Translate a page into French.',
      budget: PRICE,
      selection_mode: 'manual',
      tier: this.tier,
    };
    const action = await this.buyer.market.tasks.prepareCreation(body);
    this.taskId = action.taskId;
    if (isSigned) await action.send(this.buyer.wallet);
  }

  async invite(): Promise<void> {
    if (this.tier === 'public') return;
    await this.buyer.market.tasks.invite(this.id(), [this.worker.agentId ?? '']);
  }

  async offerWork(): Promise<void> {
    const { market, wallet, agentId } = this.worker;
    const { id: task_id, terms_hash = '' } = await market.tasks.get(this.id());
    const price = PRICE;
    await market.quotes.prepare({ task_id, price, terms_hash, agent_id: agentId }).send(wallet);
    this.offer = await this.buyer.market.quotes.first(task_id);
  }

  async select(): Promise<void> {
    await this.buyer.market.tasks.prepareSelection(this.id(), { quote: this.quote() }).send(this.buyer.wallet);
  }

  async fund(): Promise<void> {
    await this.buyer.market.tasks.prepareFunding(this.id(), { quote: this.quote() }).send(this.buyer.wallet);
  }

  async deliver(): Promise<void> {
    const { market, wallet } = this.worker;
    const { deliveries } = market;
    const artifact = await deliveries.upload('One page, in French.', { media_type: 'text/plain' });
    await deliveries.prepare({ task_id: this.id(), artifact, pay_out: false }).send(wallet);
  }

  async accept(): Promise<void> {
    await this.buyer.market.tasks.prepareResolution(this.id()).send(this.buyer.wallet);
  }

  async reject(): Promise<void> {
    const body = { reason: 'The page is missing.' };
    await this.buyer.market.tasks.prepareRejection(this.id(), body).send(this.buyer.wallet);
  }

  async abandon(): Promise<void> {
    const [node] = await this.worker.market.tasks.nodes(this.id()).toArray({ limit: 1 });
    if (node === undefined) throw new Error('Nothing was funded');
    await this.worker.market.nodes.prepareAbandonment(node).send(this.worker.wallet);
  }

  withdrawEarnings(): Promise<ActionRecord> {
    const { market, wallet, address: destination } = this.worker;
    return market.earnings.prepareWithdrawal({ task_id: this.id(), destination }).send(wallet);
  }

  withdrawRefund(): Promise<ActionRecord> {
    const { market, wallet, address: destination } = this.buyer;
    return market.tasks.prepareRefundWithdrawal(this.id(), { destination }).send(wallet);
  }

  private id(): string {
    if (this.taskId === undefined) throw new Error('There is no task yet');
    return this.taskId;
  }

  private quote(): Schemas['Quote'] {
    if (this.offer === undefined) throw new Error('There is no offer yet');
    return this.offer;
  }
}

type Step = (job: Job) => Promise<unknown>;

const DRAFTED: readonly Step[] = [(job) => job.create(false)];
const OPENED: readonly Step[] = [(job) => job.create(true)];
const INVITED: readonly Step[] = [...OPENED, (job) => job.invite()];
const OFFERED: readonly Step[] = [...INVITED, (job) => job.offerWork()];
const SELECTED: readonly Step[] = [...OFFERED, (job) => job.select()];
const FUNDED: readonly Step[] = [...SELECTED, (job) => job.fund()];
const DELIVERED: readonly Step[] = [...FUNDED, (job) => job.deliver()];
const REJECTED: readonly Step[] = [...DELIVERED, (job) => job.reject()];
const ACCEPTED: readonly Step[] = [...DELIVERED, (job) => job.accept()];
const ABANDONED: readonly Step[] = [...FUNDED, (job) => job.abandon()];

/** Steps that end with the event, and who is told of it. */
const CAUSES: Partial<Record<KnownEventType, readonly [readonly Step[], 'buyer' | 'worker']>> = {
  'task.created': [DRAFTED, 'buyer'],
  'action.prepared': [DRAFTED, 'buyer'],
  'task.opened': [OPENED, 'buyer'],
  'action.signed': [OPENED, 'buyer'],
  'task.matched': [INVITED, 'worker'],
  'task.invited': [INVITED, 'worker'],
  'quote.submitted': [OFFERED, 'buyer'],
  'task.agent_selected': [SELECTED, 'buyer'],
  'quote.accepted': [FUNDED, 'worker'],
  'task.funded': [FUNDED, 'buyer'],
  'node.funded': [FUNDED, 'worker'],
  'action.confirmed': [FUNDED, 'buyer'],
  'delivery.submitted': [DELIVERED, 'buyer'],
  'node.delivered': [DELIVERED, 'buyer'],
  'task.delivered': [DELIVERED, 'buyer'],
  'delivery.rejected': [REJECTED, 'worker'],
  'node.rejected': [REJECTED, 'worker'],
  'task.rejected': [REJECTED, 'buyer'],
  'delivery.released': [ACCEPTED, 'worker'],
  'node.released': [ACCEPTED, 'worker'],
  'task.resolved': [ACCEPTED, 'buyer'],
  'receipt.issued': [ACCEPTED, 'worker'],
  'earnings.available': [ACCEPTED, 'worker'],
  'earnings.withdrawn': [[...ACCEPTED, (job) => job.withdrawEarnings()], 'worker'],
  'node.refunded': [ABANDONED, 'buyer'],
  'task.refunded': [ABANDONED, 'buyer'],
  'refund.available': [ABANDONED, 'buyer'],
  'refund.withdrawn': [[...ABANDONED, (job) => job.withdrawRefund()], 'buyer'],
};

/** The events that can be caused. */
export const CAUSED = Object.keys(CAUSES) as KnownEventType[];

/**
 * Does what causes the event, and resolves to it as soon as it is told. Throws what the steps throw, and what the signal was
 * aborted with.
 */
export async function cause(
  type: KnownEventType,
  parties: { buyer: LocalParty; worker: LocalParty },
  signal: AbortSignal,
): Promise<MarketEvent> {
  const [steps, who] = CAUSES[type] ?? [];
  if (steps === undefined || who === undefined) throw new TypeError(`Nothing here causes ${type}`);
  const tier = type === 'task.matched' ? 'public' : 'private_curated';
  const job = new Job(parties.buyer, parties.worker, tier);
  for (const step of steps) {
    signal.throwIfAborted();
    await step(job);
  }
  return parties[who].market.events.once(type, { task_id: job.taskId, signal });
}
