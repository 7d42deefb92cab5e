import { formatUsdc } from '#libs/kernel';
import { usdc } from '../../sample-market/scenarios/scenario-context.js';
import type { Books } from './demo-books.js';
import type { DemoContext } from './demo-context.js';
import { type DemoAgent, DemoTask } from './demo-task.js';
import { DemoWork, proofOf } from './demo-work.js';
import { LONGEST_EVENT_WAIT_MS } from '../parties/longest-event-wait.js';
import { expectThat } from '../parties/step-reporter.js';

const PRICE = usdc(50);
/** The least time that a buyer's worker gets (docs/decisions/interface.md#fields-and-ranges). */
const WITHIN = 86_400;
const POLL_MS = 150;

/**
 * Runs a task on which nothing is delivered: a day passes on the local chain, the money goes back, and the buyer
 * withdraws it.
 * @returns the task, its expected books, and the seconds by which the chain's clock was moved ahead.
 */
export async function runLapsedScenario(
  context: DemoContext,
  agent: DemoAgent,
): Promise<{ task: DemoTask; books: Books; movedBy: number }> {
  const { reporter, chain } = context;
  const bo = context.actor('Bo');
  const task = await DemoTask.create(context, bo, {
    title: 'Terms of our spare parts',
    brief: 'Collect the German terminology of our 80 spare parts.',
    criteria: ['80 terms'],
    budget: usdc(80),
    selectionMode: 'auto',
  });
  reporter.step('Bo creates a task and leaves the choice of the agent to the service', `${task.line} → ${task.id}`);
  const offer = await task.quote({ agent, price: PRICE, within: WITHIN });
  reporter.step(`Dara's ${agent.name} offers ${formatUsdc(PRICE)} USDC and a day`, `${offer.line} → ${offer.quoteId}`);
  const { line: selected } = await task.select(offer, 'auto');
  reporter.step('The service names the best offer; Bo checks its terms and signs', selected);
  reporter.step(`Bo pays ${formatUsdc(PRICE)} USDC into the escrow`, proofOf(await task.fund(offer)));
  await task.waitsAs('funded');
  const movedBy = Math.max((await task.stored(offer)).deliverBy + 1 - (await chain.now()), 0);
  await chain.travel(movedBy);
  reporter.step(
    `Dara delivers nothing. The clock of the local chain is moved on by ${hoursOf(movedBy)}: the deadline is over`,
    `evm_increaseTime ${movedBy}`,
    'past the command line',
  );
  const work = new DemoWork(task);
  await until(async () => (await work.node(offer, bo)).allowed_actions.includes('claim_non_delivery'));
  await task.waitsAs('funded');
  const claimed = await work.claimNonDelivery(offer, bo);
  reporter.step(
    `Bo claims the non-delivery; anyone who sees the node may, and the money goes back to Bo whoever does`,
    proofOf(claimed),
  );
  await work.waitsAs(offer, bo, 'refunded, non_delivery');
  const refunded = await work.withdrawRefund(bo, PRICE);
  reporter.step(`Bo withdraws ${formatUsdc(PRICE)} USDC: everything is back`, proofOf(refunded));
  return { task, books: { funded: PRICE, held: 0n, paid: PRICE, refundable: 0n }, movedBy };
}

/** Seconds as text in hours and minutes: "24 h 1 min". */
export function hoursOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < LONGEST_EVENT_WAIT_MS; waited += POLL_MS) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  expectThat(false, "The service's clock has not followed the chain's.");
}
