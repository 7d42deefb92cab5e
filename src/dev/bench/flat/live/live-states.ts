import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalChain } from '../../../local-chain/local-chain.js';
import type { Participant } from '../../../sample-market/seeds/participant.js';
import type { OfferSpec, ScenarioContext, ScenarioTask } from '../../../sample-market/scenarios/scenario-context.js';
import type { Offer } from '../../../sample-market/seeds/hiring.js';

const DAY_SECONDS = 86_400;
/** Long enough that the node is funded before its delivery deadline passes. */
const OVERDUE_SECONDS = 25;
const DELIVER_BY_DAYS = -30;
const OFFERED_BEFORE_DAYS = 25 / 24;
const BUDGET = 100;

/** The buyer and the worker that every participant deals with. */
export interface Counterparts {
  buyer: Participant;
  /** A participant with exactly one agent. */
  worker: Participant;
}

/**
 * Gives each of these accounts, on the chain, one of everything that an operation can act on. As a buyer it gets tasks
 * that are: open with a quote, private, given to a chosen worker, delivered, given up, and overdue. As a worker it gets
 * nodes that are: ready to hire, rejected with an arbiter, paid, and one whose child node has been delivered.
 */
export async function makeLiveStates(
  context: ScenarioContext,
  chain: LocalChain,
  people: readonly Participant[],
  counterparts: Counterparts,
): Promise<void> {
  const overdueAt = Math.ceil(Date.now() / 1000) + OVERDUE_SECONDS * people.length;
  for (const one of people)
    await hired(context, one, counterparts.worker, -(overdueAt - context.daysAgo(0)) / DAY_SECONDS);
  for (const one of people) {
    await asBuyer(context, one, counterparts.worker);
    await asWorker(context, one, counterparts);
  }
  await sleep(Math.max(0, overdueAt * 1000 - Date.now()) + 1000);
  // The chain answers with the time of its last block, which is older than now.
  await chain.returnTo(Math.floor(Date.now() / 1000));
  await context.caughtUp();
}

async function asBuyer(context: ScenarioContext, buyer: Participant, worker: Participant): Promise<void> {
  const agent = nameOfAgent(worker);
  await context.quote(await task(context, buyer), offer(agent));
  await context.task(buyer, { ...ABOUT, tier: 'private_curated' });
  const chosen = await task(context, buyer);
  await context.select(chosen, await context.quote(chosen, offer(agent)));
  const delivered = await hired(context, buyer, worker);
  await deliver(context, delivered, `Delivered to ${buyer.account.id}.`);
  const givenUp = await hired(context, buyer, worker);
  await givenUp.task.tree.abandon(givenUp.offer.terms.nodeId, worker);
}

async function asWorker(context: ScenarioContext, worker: Participant, others: Counterparts): Promise<void> {
  const { buyer } = others;
  const below = nameOfAgent(others.worker);
  const rejected = await hired(context, buyer, worker);
  await deliver(context, rejected, `Delivered by ${worker.account.id}.`);
  await rejected.task.tree.reject(rejected.offer.terms.nodeId, buyer, 'Page 12 is missing.');
  const paid = await hired(context, buyer, worker);
  await deliver(context, paid, `Paid to ${worker.account.id}.`);
  await paid.task.tree.accept(paid.offer.terms.nodeId, buyer);
  const hiring = await hired(context, buyer, worker);
  const child = await context.quote(hiring.task, { ...offer(below), price: BUDGET / 4, parent: hiring.offer });
  await hiring.task.hiring.subcontract(child);
  await deliver(context, { task: hiring.task, offer: child }, `Delivered under ${worker.account.id}.`);
  const free = await hired(context, buyer, worker);
  await context.quote(free.task, { ...offer(below), price: BUDGET / 4, parent: free.offer });
}

interface Hired {
  task: ScenarioTask;
  offer: Offer;
}

const ABOUT = {
  title: 'Translate the handbook',
  brief: 'Translate the handbook from German into English and keep the tables in their places.',
  budget: BUDGET,
  arbitrated: true,
};

function task(context: ScenarioContext, buyer: Participant): Promise<ScenarioTask> {
  return context.task(buyer, ABOUT);
}

function offer(agent: string, deliverBy = DELIVER_BY_DAYS): OfferSpec {
  return { agent, price: BUDGET - 10, deliverBy };
}

/** Has this worker hired for a new task. @returns the funded node. */
async function hired(
  context: ScenarioContext,
  buyer: Participant,
  worker: Participant,
  deliverBy?: number,
): Promise<Hired> {
  const made = await task(context, buyer);
  const terms = offer(nameOfAgent(worker), deliverBy);
  // A quote must be offered at least a day before its delivery deadline, so a quote with a short one is offered in the
  // past.
  const taken = await (deliverBy === undefined
    ? context.quote(made, terms)
    : context.ahead(-OFFERED_BEFORE_DAYS, () => context.quote(made, terms)));
  await context.select(made, taken);
  await made.hiring.fund(taken);
  return { task: made, offer: taken };
}

async function deliver(context: ScenarioContext, { task: { tree }, offer: taken }: Hired, text: string): Promise<void> {
  await context.upload(taken.worker, text);
  await tree.deliver(taken.terms.nodeId, taken.worker, text);
}

function nameOfAgent({ account, agents }: Participant): string {
  const [agent] = agents;
  if (!agent) throw new Error(`${account.name} has no agent to work with`);
  return agent.name;
}
