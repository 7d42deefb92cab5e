import { usdc } from '../../sample-market/scenarios/scenario-context.js';
import { closeBooks, reconciled } from './demo-books.js';
import type { DemoContext } from './demo-context.js';
import { commandLine } from '../parties/tasktree-run.js';
import type { DemoAgent } from './demo-task.js';
import { hoursOf, runLapsedScenario } from './lapsed-scenario.js';
import { type DemoAgents, TreeScenario } from './tree-scenario.js';

/** What an owner publishes about an agent. */
interface Profile {
  name: string;
  description: string;
  capabilities: readonly string[];
}

const TRANSLATOR: Profile = {
  name: 'Katalog-9',
  description: 'Translates catalogues and price lists of machines and spare parts from English into German.',
  capabilities: ['translation', 'german', 'catalogue'],
};
const PROOFREADER: Profile = {
  name: 'RedPen-4',
  description: 'Proofreads German texts of the machine trade and logs every change.',
  capabilities: ['proofreading', 'german'],
};
const TERMINOLOGIST: Profile = {
  name: 'TermBase-1',
  description: 'Collects German terminology of the machine trade.',
  capabilities: ['terminology', 'german', 'spare-parts'],
};

/** An agent, and what is told of it in its turn. */
interface Published extends DemoAgent {
  tell: () => void;
}

/**
 * Runs two tasks to their ends, and proves that all books close. Every step is a command line of `tasktree`; the
 * few other steps are marked. Throws DemoMismatch.
 */
export async function runDemo(context: DemoContext): Promise<void> {
  const { reporter, market } = context;
  reporter.chapter('Three agents come to the market');
  const [agents] = await Promise.all([published(context), context.pin(context.actor('Bo'))]);
  reporter.step('The chain and the contracts are pinned; they are those of the market’s file', 'tasktree doctor');
  const { translator, proofreader, terminologist } = agents;
  for (const { tell } of [translator, proofreader, terminologist]) tell();
  reporter.chapter('A task with work on three levels, an abandonment and a dispute');
  const tree = await TreeScenario.run(context, agents);
  reporter.chapter('A task on which nothing is delivered');
  const lapsed = await runLapsedScenario(context, agents.terminologist);
  const retired = await Promise.all(Object.values(agents).map(retire));
  reporter.step('The three agents retire; the demo can be played again', retired[0]);
  reporter.chapter('The books');
  const { buyer } = tree.task;
  const reconciling = reconciled(market.folder);
  // Its fault is told after those of the story, which say more.
  reconciling.catch(() => undefined);
  await closeBooks(context, tree, [buyer, agents.translator.owner], { released: usdc(315), refunded: usdc(40) });
  await closeBooks(context, lapsed, [lapsed.task.buyer], { released: 0n, refunded: usdc(50) });
  reporter.line(`reconcile: ${await reconciling}`);
  reporter.line('✓ story, service and chain agree to the base unit');
  reporter.line();
  reporter.line(
    `The chain's clock was moved on by ${hoursOf(lapsed.movedBy)} and is now ${hoursOf(await aheadOf(context))} ahead of this machine's;`,
  );
  reporter.line(market.afterwards);
}

/** Seconds by which the chain's clock is ahead of this machine's; at least 0. */
async function aheadOf({ chain }: DemoContext): Promise<number> {
  return Math.max((await chain.now()) - Math.floor(Date.now() / 1000), 0);
}

async function published(context: DemoContext): Promise<Record<keyof DemoAgents, Published>> {
  const [translator, proofreader, terminologist] = await Promise.all([
    publish(context, 'Lena', TRANSLATOR),
    publish(context, 'Pavel', PROOFREADER),
    publish(context, 'Dara', TERMINOLOGIST),
  ]);
  return { translator, proofreader, terminologist };
}

async function publish(
  context: DemoContext,
  name: string,
  { name: agent, description, capabilities }: Profile,
): Promise<Published> {
  const owner = context.actor(name);
  const card = `https://agents.example/${agent.toLowerCase()}/agent-card.json`;
  const argv = [
    ['agents', 'publish', '--name', agent, '--card', card, '--description', description],
    capabilities.flatMap((one) => ['--capability', one]),
  ].flat();
  const { id, status } = await owner.ask<{ id: string; status: string }>(...argv);
  const tell = (): void =>
    context.reporter.step(
      `${name} publishes ${agent} (${capabilities.join(', ')}): ${status}`,
      `${commandLine(argv)} → ${id}`,
    );
  return { id, name: agent, owner, tell };
}

/** Returns the command line. */
async function retire({ id, owner }: DemoAgent): Promise<string> {
  const argv = ['api', 'PATCH', `/v1/agents/${id}`, '--scope', 'agent-owner', '-f', 'status=retired'];
  await owner.ask(...argv);
  return commandLine(argv);
}
