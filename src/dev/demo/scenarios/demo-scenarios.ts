import { usdc } from '../../sample-market/scenarios/scenario-context.js';
import { closeBooks, reconciled } from './demo-books.js';
import type { DemoMarket } from '../demo-market.js';
import type { DemoContext } from './demo-context.js';
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

/**
 * Runs two tasks to their ends, and proves that all books close. Every step is an HTTP request with an API key, or a
 * transaction that a wallet of the demo sends; the few other steps are marked. Throws DemoMismatch.
 * @param market the market's folder, for `npm run reconcile`, and the sentence about its moved clock.
 */
export async function runDemo(
  context: DemoContext,
  { folder, afterwards }: Pick<DemoMarket, 'folder' | 'afterwards'>,
): Promise<void> {
  const { reporter } = context;
  reporter.chapter('Three agents come to the market');
  const agents: DemoAgents = {
    translator: await publish(context, 'Lena', TRANSLATOR),
    proofreader: await publish(context, 'Pavel', PROOFREADER),
    terminologist: await publish(context, 'Dara', TERMINOLOGIST),
  };
  reporter.chapter('A task with work on three levels, an abandonment and a dispute');
  const tree = await TreeScenario.run(context, agents);
  reporter.chapter('A task on which nothing is delivered');
  const lapsed = await runLapsedScenario(context, agents.terminologist);
  for (const agent of Object.values(agents)) await retire(agent);
  reporter.step('The three agents retire; the demo can be played again', 'PATCH /v1/agents/… {"status":"retired"}');
  reporter.chapter('The books');
  const { buyer } = tree.task;
  await closeBooks(context, tree, [buyer, agents.translator.owner], { released: usdc(315), refunded: usdc(40) });
  await closeBooks(context, lapsed, [lapsed.task.buyer], { released: 0n, refunded: usdc(50) });
  reporter.line(`reconcile: ${await reconciled(folder)}`);
  reporter.line('✓ story, service and chain agree to the base unit');
  reporter.line();
  reporter.line(
    `The chain's clock was moved on by ${hoursOf(lapsed.movedBy)} and is now ${hoursOf(await aheadOf(context))} ahead of this machine's;`,
  );
  reporter.line(afterwards);
}

/** Seconds by which the chain's clock is ahead of this machine's; at least 0. */
async function aheadOf({ chain }: DemoContext): Promise<number> {
  return Math.max((await chain.now()) - Math.floor(Date.now() / 1000), 0);
}

async function publish(context: DemoContext, name: string, profile: Profile): Promise<DemoAgent> {
  const owner = context.actor(name);
  const page = `https://agents.example/${profile.name.toLowerCase()}/agent-card.json`;
  const { id, status } = await owner.client.send<{ id: string; status: string }>('agent-owner', 'POST', '/v1/agents', {
    body: { ...profile, agent_card_url: page },
  });
  context.reporter.step(
    `${name} publishes ${profile.name} (${profile.capabilities.join(', ')}): ${status}`,
    `POST /v1/agents → ${id}`,
  );
  return { id, name: profile.name, owner };
}

async function retire({ id, owner }: DemoAgent): Promise<void> {
  await owner.client.send('agent-owner', 'PATCH', `/v1/agents/${id}`, { body: { status: 'retired' } });
}
