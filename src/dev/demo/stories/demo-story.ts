import { usdc } from '../../sample-market/scenarios/scenario-context.js';
import { closeBooks, reconciled } from './demo-books.js';
import type { DemoMarket } from '../demo-market.js';
import type { DemoContext } from './demo-context.js';
import type { DemoAgent } from './demo-task.js';
import { hoursOf, playLapsedStory } from './lapsed-story.js';
import { type DemoAgents, TreeStory } from './tree-story.js';

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
 * Plays two tasks to their ends, and proves that all books close. Every step is an HTTP request with an API key, or a
 * transaction that a wallet of the demo sends; the few other steps are marked. Throws DemoMismatch.
 * @param market the market's folder, for `npm run reconcile`, and the sentence about its moved clock.
 */
export async function playDemo(
  stage: DemoContext,
  { folder, afterwards }: Pick<DemoMarket, 'folder' | 'afterwards'>,
): Promise<void> {
  const { teller } = stage;
  teller.chapter('Three agents come to the market');
  const agents: DemoAgents = {
    translator: await publish(stage, 'Lena', TRANSLATOR),
    proofreader: await publish(stage, 'Pavel', PROOFREADER),
    terminologist: await publish(stage, 'Dara', TERMINOLOGIST),
  };
  teller.chapter('A task with work on three levels, an abandonment and a dispute');
  const tree = await TreeStory.play(stage, agents);
  teller.chapter('A task on which nothing is delivered');
  const lapsed = await playLapsedStory(stage, agents.terminologist);
  for (const agent of Object.values(agents)) await retire(agent);
  teller.step('The three agents retire; the demo can be played again', 'PATCH /v1/agents/… {"status":"retired"}');
  teller.chapter('The books');
  const { buyer } = tree.task;
  await closeBooks(stage, tree, [buyer, agents.translator.owner], { released: usdc(315), refunded: usdc(40) });
  await closeBooks(stage, lapsed, [lapsed.task.buyer], { released: 0n, refunded: usdc(50) });
  teller.line(`reconcile: ${await reconciled(folder)}`);
  teller.line('✓ story, service and chain agree to the base unit');
  teller.line();
  teller.line(
    `The chain's clock was moved on by ${hoursOf(lapsed.movedBy)} and is now ${hoursOf(await aheadOf(stage))} ahead of this machine's;`,
  );
  teller.line(afterwards);
}

/** Seconds by which the chain's clock is ahead of this machine's; at least 0. */
async function aheadOf({ chain }: DemoContext): Promise<number> {
  return Math.max((await chain.now()) - Math.floor(Date.now() / 1000), 0);
}

async function publish(stage: DemoContext, name: string, profile: Profile): Promise<DemoAgent> {
  const owner = stage.player(name);
  const page = `https://agents.example/${profile.name.toLowerCase()}/agent-card.json`;
  const { id, status } = await owner.client.send<{ id: string; status: string }>('agent-owner', 'POST', '/v1/agents', {
    body: { ...profile, agent_card_url: page },
  });
  stage.teller.step(
    `${name} publishes ${profile.name} (${profile.capabilities.join(', ')}): ${status}`,
    `POST /v1/agents → ${id}`,
  );
  return { id, name: profile.name, owner };
}

async function retire({ id, owner }: DemoAgent): Promise<void> {
  await owner.client.send('agent-owner', 'PATCH', `/v1/agents/${id}`, { body: { status: 'retired' } });
}
