import { type ScenarioContext, type Scenario, type ScenarioTask, usdc } from './scenario-context.js';

/** Prepared and never signed: cancelled when its `create_task` action expired. */
export const cancelledTask: Scenario = async (scene, at) => {
  await at(scene.daysAgo(3.2));
  await scene.intents.prepare(scene.person('Ada'), 'create_task', {
    draft: {
      title: 'Voice-over for a film of three minutes',
      brief: 'Speak the German text of our film of three minutes; we cut it ourselves.',
      budget: usdc(120),
      selectionMode: 'manual',
    },
  });
};

/** Expired: nobody made an offer before the deadline. */
export const expiredTask: Scenario = async (scene, at) => {
  await at(scene.daysAgo(43));
  await scene.task(scene.person('Bo'), {
    title: 'Typeset a book of poems by hand',
    brief: 'Typeset 64 pages of poems in lead, print two copies, and send both by post.',
    criteria: ['Two printed copies'],
    budget: 90,
    offersEnd: 29,
  });
};

/** The buyer has signed selection and payment; neither is on the chain yet. */
export const fundingPendingTask: Scenario = async (scene, at) => {
  const cleo = scene.person('Cleo');
  await at(scene.daysAgo(4.2));
  const task = await scene.task(cleo, {
    title: 'Survey of 200 shops',
    brief: 'Find the opening hours of 200 shops in five towns, with a source for each.',
    criteria: ['Every shop has a source'],
    budget: 240,
  });
  await at(scene.daysAgo(3.6));
  const { agentId, taskId } = (
    await scene.quote(task, { agent: 'DataMiner-3', price: 210, deliverBy: -60, standsUntil: -26 })
  ).quote;
  await at(scene.daysAgo(1.4));
  const selection = await scene.intents.prepare(cleo, 'select_agent', { taskId, agentId });
  await scene.intents.sign(cleo, 'buyer', selection);
  await scene.ahead(25, async () => {
    const payment = await scene.intents.prepare(cleo, 'fund_task', { taskId });
    await scene.intents.sign(cleo, 'buyer', payment);
  });
};

/** Prepares a quote that its agent's wallet has not signed. */
export async function unsignedQuote(scene: ScenarioContext, { tree }: ScenarioTask, agentName: string): Promise<void> {
  const { owner, agent } = scene.agent(agentName);
  const days = (count: number): Date => new Date(scene.daysAgo(-count) * 1000);
  await scene.caughtUp();
  await scene.ahead(25, () =>
    scene.intents.prepare(owner, 'submit_quote', {
      taskId: tree.task.id,
      agentId: agent.id,
      price: usdc(230),
      deadline: days(45),
      validUntil: days(28),
      termsHash: tree.task.termsHash,
      parentNodeId: null,
    }),
  );
}
