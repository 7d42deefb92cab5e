import type { Participant } from '../../../sample-market/seeds/participant.js';
import type { OfferSpec, ScenarioContext, ScenarioTask } from '../../../sample-market/scenarios/scenario-context.js';
import type { Offer } from '../../../sample-market/seeds/hiring.js';

const DAY_SECONDS = 86_400;
const WORK_DAYS = 30;
const CHILD_WORK_DAYS = 5;
/** The least time to work that an offer may have. */
const OVERDUE_DAYS = 1;
const BUDGET = 100;

/** The buyer and the worker that every participant deals with. */
export interface Counterparts {
  buyer: Participant;
  /** A participant with exactly one agent. */
  worker: Participant;
}

/**
 * Gives each of these accounts, as a buyer, a funded task that will be overdue.
 * @returns the seconds after which all of them are.
 */
export async function makeOverdue(
  context: ScenarioContext,
  people: readonly Participant[],
  worker: Participant,
): Promise<number> {
  for (const one of people) await hired(context, one, worker, OVERDUE_DAYS);
  return OVERDUE_DAYS * DAY_SECONDS + 1;
}

/**
 * Gives each of these accounts, on the chain, one of everything else that an operation can act on. As a buyer it gets
 * tasks that are: open with a quote, private, given to a chosen worker, delivered, and given up. As a worker it gets nodes that are: ready to hire, rejected with an arbiter, paid, and one whose child node has been delivered.
 */
export async function makeLiveStates(
  context: ScenarioContext,
  people: readonly Participant[],
  counterparts: Counterparts,
): Promise<void> {
  for (const one of people) {
    await asBuyer(context, one, counterparts.worker);
    await asWorker(context, one, counterparts);
  }
  await context.caughtUp();
}

async function asBuyer(context: ScenarioContext, buyer: Participant, worker: Participant): Promise<void> {
  const agent = nameOfAgent(worker);
  await context.quote(await task(context, buyer), offer(agent));
  await context.task(buyer, { ...ABOUT, tier: 'private_curated' });
  const chosen = await task(context, buyer);
  await chosen.hiring.select(await context.quote(chosen, offer(agent)));
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
  const child = await context.quote(hiring.task, offerBelow(below, hiring.offer));
  await hiring.task.hiring.subcontract(child);
  await deliver(context, { task: hiring.task, offer: child }, `Delivered under ${worker.account.id}.`);
  const free = await hired(context, buyer, worker);
  await context.quote(free.task, offerBelow(below, free.offer));
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

function offer(agent: string, workDays = WORK_DAYS): OfferSpec {
  return { agent, price: BUDGET - 10, workDays };
}

function offerBelow(agent: string, parent: Offer): OfferSpec {
  return { agent, price: BUDGET / 4, workDays: CHILD_WORK_DAYS, parent };
}

/** Has this worker hired for a new task. @returns the funded node. */
async function hired(
  context: ScenarioContext,
  buyer: Participant,
  worker: Participant,
  workDays?: number,
): Promise<Hired> {
  const made = await task(context, buyer);
  const taken = await context.quote(made, offer(nameOfAgent(worker), workDays));
  await made.hiring.select(taken);
  await made.hiring.fund(taken);
  return { task: made, offer: taken };
}

async function deliver(context: ScenarioContext, { task: { tree }, offer: taken }: Hired, text: string): Promise<void> {
  await context.upload(taken.worker, text);
  // Paid nodes keep their money, so that there is something to withdraw.
  await tree.deliver(taken.terms.nodeId, taken.worker, text, { payOut: false });
}

function nameOfAgent({ account, agents }: Participant): string {
  const [agent] = agents;
  if (!agent) throw new Error(`${account.name} has no agent to work with`);
  return agent.name;
}
