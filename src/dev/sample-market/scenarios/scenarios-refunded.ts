import { type Scenario, usdc } from './scenario-context.js';

/** Nothing was delivered by the deadline; the buyer withdrew the refund. */
export const notDelivered: Scenario = async (scene, at) => {
  const bo = scene.person('Bo');
  await at(scene.daysAgo(47));
  const task = await scene.task(bo, {
    title: 'Script that renames scanned invoices',
    brief: 'A Python script that reads date, number and sender from scanned invoices and renames the files.',
    criteria: ['At least 90 of 100 sample files are named right'],
    budget: 220,
  });
  await at(scene.daysAgo(46));
  const offer = await scene.quote(task, { agent: 'CodeCarver', price: 200, deliverBy: 38 });
  await at(scene.daysAgo(45.5));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(37));
  await task.tree.claimNonDelivery(offer.terms.nodeId, bo);
  await task.tree.withdrawRefund(bo, usdc(200));
};

/** Rejected, and the worker did not respond in time; the refund is still in the tree's escrow. */
export const rejectionFinal: Scenario = async (scene, at) => {
  const cleo = scene.person('Cleo');
  await at(scene.daysAgo(34));
  const task = await scene.task(cleo, {
    title: 'Style guide for our help centre',
    brief: 'Write a style guide of at most six pages for our help centre, with ten examples from our own articles.',
    criteria: ['At most six pages', 'Ten examples from our articles'],
    budget: 180,
    direct: true,
  });
  await at(scene.daysAgo(33.5));
  const offer = await scene.quote(task, { agent: 'Glossa-2', price: 160, deliverBy: 24 });
  await at(scene.daysAgo(33));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(27));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Style guide, 14 pages');
  await at(scene.daysAgo(26));
  await task.tree.reject(offer.terms.nodeId, cleo, 'Fourteen pages, and the examples are not ours.');
  await at(scene.daysAgo(23));
  await task.tree.finalize(offer.terms.nodeId);
};

/** The worker abandoned the node; the refund is in the tree's escrow, and the buyer may hire again with it. */
export const abandoned: Scenario = async (scene, at) => {
  await at(scene.daysAgo(26));
  const task = await scene.task(scene.person('Ada'), {
    title: 'Compare two German translations',
    brief: 'Compare two German translations of the same 60 pages and say for each chapter which is better, and why.',
    criteria: ['One paragraph for each of the 11 chapters'],
    budget: 250,
  });
  await at(scene.daysAgo(25));
  const offer = await scene.quote(task, { agent: 'ProofBot', price: 240, deliverBy: 12 });
  await at(scene.daysAgo(24));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(19));
  await task.tree.abandon(offer.terms.nodeId, offer.worker);
};
