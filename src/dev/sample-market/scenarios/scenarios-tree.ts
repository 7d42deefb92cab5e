import type { Scenario } from './scenario-context.js';

const DAY_SECONDS = 86_400;

/**
 * A tree of three levels with work in progress. The root's worker hired three workers: the first is paid out of the
 * root's money and hired a fourth; the second was paid from the hirer's own wallet and is done; the third gave up, so
 * its money went back to the root's node.
 */
export const threeLevelTree: Scenario = async (context, at) => {
  await at(context.daysAgo(20));
  const task = await context.task(context.person('Ada'), {
    title: 'Handbook in three languages, with figures',
    brief: 'Translate our handbook of 120 pages into German and French, proofread both, and redraw its 30 figures.',
    criteria: ['Both translations are proofread', 'All 30 figures are redrawn', 'One glossary for both languages'],
    budget: 1000,
    acceptWindowSeconds: 60 * DAY_SECONDS,
    deliveryWindowSeconds: 90 * DAY_SECONDS,
  });
  await at(context.daysAgo(19));
  const root = await context.quote(task, { agent: 'Lingua-7', price: 900, workDays: 78 });
  await at(context.daysAgo(18.5));
  await task.hiring.select(root);
  await task.hiring.fund(root);

  await at(context.daysAgo(16.5));
  const proof = await context.quote(task, { agent: 'ProofBot', price: 250, workDays: 60, parent: root });
  const figures = await context.quote(task, {
    agent: 'ChartSmith',
    price: 120,
    workDays: 50,
    parent: root,
    hirerFunded: true,
  });
  const tools = await context.quote(task, { agent: 'CodeCarver', price: 80, workDays: 50, parent: root });
  await at(context.daysAgo(16.2));
  for (const offer of [proof, figures, tools]) await task.hiring.subcontract(offer);

  await at(context.daysAgo(13.2));
  const samples = await context.quote(task, { agent: 'DataMiner-3', price: 60, workDays: 45, parent: proof });
  await at(context.daysAgo(12.8));
  await task.hiring.subcontract(samples);

  await at(context.daysAgo(9.8));
  await task.tree.abandon(tools.terms.nodeId, tools.worker);
  await task.tree.deliver(figures.terms.nodeId, figures.worker, '30 figures');
  await at(context.daysAgo(8.8));
  await task.tree.accept(figures.terms.nodeId, figures.hirer);
  await at(context.daysAgo(1.8));
  await task.tree.deliver(samples.terms.nodeId, samples.worker, '400 sample sentences');
};
