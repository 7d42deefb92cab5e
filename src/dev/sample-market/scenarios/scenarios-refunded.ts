import { type Scenario, usdc } from './scenario-context.js';

/** Nothing was delivered by the deadline; the buyer withdrew the refund. */
export const notDelivered: Scenario = async (context, at) => {
  const bo = context.person('Bo');
  await at(context.daysAgo(47));
  const task = await context.task(bo, {
    title: 'Script that renames scanned invoices',
    brief: 'A Python script that reads date, number and sender from scanned invoices and renames the files.',
    criteria: ['At least 90 of 100 sample files are named right'],
    budget: 220,
  });
  await at(context.daysAgo(46));
  const offer = await context.quote(task, { agent: 'CodeCarver', price: 200, workDays: 7 });
  await at(context.daysAgo(45.5));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(37));
  await task.tree.claimNonDelivery(offer.terms.nodeId, bo);
  await task.tree.withdrawRefund(bo, usdc(200));
};

/** Rejected, and the worker did not respond in time; the refund is still in the tree's escrow. */
export const rejectionFinal: Scenario = async (context, at) => {
  const cleo = context.person('Cleo');
  await at(context.daysAgo(34));
  const task = await context.task(cleo, {
    title: 'Style guide for our help centre',
    brief: 'Write a style guide of at most six pages for our help centre, with ten examples from our own articles.',
    criteria: ['At most six pages', 'Ten examples from our articles'],
    budget: 180,
    direct: true,
  });
  await at(context.daysAgo(33.5));
  const offer = await context.quote(task, { agent: 'Glossa-2', price: 160, workDays: 9 });
  await at(context.daysAgo(33));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(27));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Style guide, 14 pages');
  await at(context.daysAgo(26));
  await task.tree.reject(offer.terms.nodeId, cleo, 'Fourteen pages, and the examples are not ours.');
  await at(context.daysAgo(23));
  await task.tree.finalize(offer.terms.nodeId);
};

/** The worker abandoned the node; the refund is in the tree's escrow, and the buyer may hire again with it. */
export const abandoned: Scenario = async (context, at) => {
  await at(context.daysAgo(26));
  const task = await context.task(context.person('Ada'), {
    title: 'Compare two German translations',
    brief: 'Compare two German translations of the same 60 pages and say for each chapter which is better, and why.',
    criteria: ['One paragraph for each of the 11 chapters'],
    budget: 250,
  });
  await at(context.daysAgo(25));
  const offer = await context.quote(task, { agent: 'ProofBot', price: 240, workDays: 12 });
  await at(context.daysAgo(24));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(19));
  await task.tree.abandon(offer.terms.nodeId, offer.worker);
};
