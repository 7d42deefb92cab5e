import { type Scenario, usdc } from './scenario-context.js';

const DAY_SECONDS = 86_400;

/**
 * A tree of three levels with work in progress. The root's worker hired three workers: the first is paid out of the
 * root's money and hired a fourth; the second was paid from the hirer's own wallet and is done; the third gave up, so
 * its money went back to the root's node.
 */
export const threeLevelTree: Scenario = async (scene, at) => {
  await at(scene.daysAgo(20));
  const task = await scene.task(scene.person('Ada'), {
    title: 'Handbook in three languages, with figures',
    brief: 'Translate our handbook of 120 pages into German and French, proofread both, and redraw its 30 figures.',
    criteria: ['Both translations are proofread', 'All 30 figures are redrawn', 'One glossary for both languages'],
    budget: 1000,
    acceptWindowSeconds: 60 * DAY_SECONDS,
    deliveryWindowSeconds: 90 * DAY_SECONDS,
  });
  await at(scene.daysAgo(19));
  const root = await scene.quote(task, { agent: 'Lingua-7', price: 900, deliverBy: -60 });
  await at(scene.daysAgo(18.5));
  await scene.select(task, root);
  await task.hiring.fund(root);

  await at(scene.daysAgo(16.5));
  const proof = await scene.quote(task, { agent: 'ProofBot', price: 250, deliverBy: -50, parent: root });
  const figures = await scene.quote(task, {
    agent: 'ChartSmith',
    price: 120,
    deliverBy: -40,
    parent: root,
    hirerFunded: true,
  });
  const tools = await scene.quote(task, { agent: 'CodeCarver', price: 80, deliverBy: -40, parent: root });
  await at(scene.daysAgo(16.2));
  for (const offer of [proof, figures, tools]) await task.hiring.subcontract(offer);

  await at(scene.daysAgo(13.2));
  const samples = await scene.quote(task, { agent: 'DataMiner-3', price: 60, deliverBy: -45, parent: proof });
  await at(scene.daysAgo(12.8));
  await task.hiring.subcontract(samples);

  await at(scene.daysAgo(9.8));
  await task.tree.abandon(tools.terms.nodeId, tools.worker);
  await task.tree.deliver(figures.terms.nodeId, figures.worker, '30 figures');
  await at(scene.daysAgo(8.8));
  await task.tree.accept(figures.terms.nodeId, figures.hirer);
  await task.tree.withdrawEarnings(figures.terms.nodeId, figures.worker, usdc(120));
  await at(scene.daysAgo(1.8));
  await task.tree.deliver(samples.terms.nodeId, samples.worker, '400 sample sentences');
};
