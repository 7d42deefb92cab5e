import { type ScenarioContext, type Scenario, type ScenarioTask, usdc } from './scenario-context.js';

const DAY_SECONDS = 86_400;

/** Prepared and never signed: cancelled when its `create_task` action expired. */
export const cancelledTask: Scenario = async (context, at) => {
  await at(context.daysAgo(3.2));
  await context.intents.prepare(context.person('Ada'), 'create_task', {
    draft: {
      title: 'Voice-over for a film of three minutes',
      brief: 'Speak the German text of our film of three minutes; we cut it ourselves.',
      budget: usdc(120),
      selectionMode: 'manual',
    },
  });
};

/** Expired: nobody made an offer before the deadline. */
export const expiredTask: Scenario = async (context, at) => {
  await at(context.daysAgo(43));
  await context.task(context.person('Bo'), {
    title: 'Typeset a book of poems by hand',
    brief: 'Typeset 64 pages of poems in lead, print two copies, and send both by post.',
    criteria: ['Two printed copies'],
    budget: 90,
    offersEnd: 29,
  });
};

/** The buyer has signed selection and payment; the payment is not on the chain yet. */
export const fundingPendingTask: Scenario = async (context, at) => {
  const cleo = context.person('Cleo');
  await at(context.daysAgo(4.2));
  const task = await context.task(cleo, {
    title: 'Survey of 200 shops',
    brief: 'Find the opening hours of 200 shops in five towns, with a source for each.',
    criteria: ['Every shop has a source'],
    budget: 240,
  });
  await at(context.daysAgo(3.6));
  const { agentId, taskId } = (
    await context.quote(task, { agent: 'DataMiner-3', price: 210, workDays: 34, standsUntil: -26 })
  ).quote;
  await at(context.daysAgo(1.4));
  const selection = await context.intents.prepare(cleo, 'select_agent', { taskId, agentId });
  await context.intents.sign(cleo, 'buyer', selection);
  await context.ahead(25, async () => {
    const payment = await context.intents.prepare(cleo, 'fund_task', { taskId });
    await context.intents.sign(cleo, 'buyer', payment);
  });
};

/** Prepares a quote that its agent's wallet has not signed. */
export async function unsignedQuote(
  context: ScenarioContext,
  { tree }: ScenarioTask,
  agentName: string,
): Promise<void> {
  const { owner, agent } = context.agent(agentName);
  await context.ahead(25, () =>
    context.intents.prepare(owner, 'submit_quote', {
      taskId: tree.task.id,
      agentId: agent.id,
      price: usdc(230),
      workSeconds: 17 * DAY_SECONDS,
      validUntil: new Date(context.daysAgo(-28) * 1000),
      termsHash: tree.task.termsHash,
      parentNodeId: null,
    }),
  );
}
