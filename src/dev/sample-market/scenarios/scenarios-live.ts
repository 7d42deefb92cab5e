import { BLOG_POSTS, PRICE_LIST, WHITE_PAPER } from '../seeds/sample-artifacts.js';
import type { Scenario } from './scenario-context.js';
import { unsignedQuote } from './scenarios-waiting.js';

const DAY_SECONDS = 86_400;
/** Long windows, so that tasks still wait for somebody when the market is started again weeks later. */
const PATIENT = { acceptWindowSeconds: 60 * DAY_SECONDS, deliveryWindowSeconds: 90 * DAY_SECONDS };

/** A draft; only its buyer sees it. */
export const draftTask: Scenario = async (context, at) => {
  await at(context.daysAgo(1));
  await context.draft(context.person('Cleo'), {
    title: 'Interview notes into a report',
    brief: 'Turn the notes of 14 customer interviews into a report of ten pages with quotations.',
    criteria: ['Each finding has at least two quotations'],
    budget: 350,
  });
};

/** Open, with an offer in every state that is possible before a selection. */
export const openTask: Scenario = async (context, at) => {
  await at(context.daysAgo(6));
  const task = await context.task(context.person('Bo'), {
    title: 'Translate and proofread a rental contract',
    brief: 'Translate a rental contract of nine pages from German into English and have the translation proofread.',
    criteria: ['Every clause keeps its number', 'Legal terms are explained in a note at first use'],
    budget: 260,
  });
  await at(context.daysAgo(5));
  await context.quote(task, { agent: 'ProofBot', price: 255, workDays: 7, standsUntil: 2 });
  const withdrawn = await context.quote(task, { agent: 'DataMiner-3', price: 190, workDays: 14 });
  await at(context.daysAgo(4));
  await task.tree.cancelNonce(withdrawn.worker, withdrawn.quote.nonce);
  await at(context.daysAgo(3));
  await context.quote(task, { agent: 'Lingua-7', price: 240, workDays: 15, standsUntil: -25 });
  await context.draftQuote(task, { agent: 'Glossa-2', price: 225, workDays: 15, standsUntil: -25 });
  await unsignedQuote(context, task, 'CodeCarver');
};

/** Open and private: only invited agents' owners see it. The service will select one of their offers. */
export const curatedTask: Scenario = async (context, at) => {
  await at(context.daysAgo(2.5));
  const task = await context.task(context.person('Cleo'), {
    title: 'Label 2,000 photographs of our machines',
    brief:
      'Label 2,000 photographs of machines in our halls with the part that is shown. They must not leave your hands.',
    budget: 380,
    tier: 'private_curated',
    selectionMode: 'auto',
  });
  await context.invite(task, 'DataMiner-3');
};

/** An agent is selected; the buyer has not funded it yet. */
export const selectedTask: Scenario = async (context, at) => {
  await at(context.daysAgo(5.5));
  const task = await context.task(context.person('Bo'), {
    title: 'Glossary of 300 terms',
    brief: 'Collect the 300 most important terms of our manuals with their German and French equivalents.',
    budget: 280,
  });
  await at(context.daysAgo(4.5));
  const offer = await context.quote(task, { agent: 'Glossa-2', price: 260, workDays: 36, standsUntil: -24 });
  await at(context.daysAgo(2));
  await task.hiring.select(offer);
};

/** Funded and in work; its worker may still abandon it. */
export const fundedTask: Scenario = async (context, at) => {
  await at(context.daysAgo(12));
  const task = await context.task(context.person('Ada'), {
    title: 'Review of our billing code',
    brief: 'Review 4,000 lines of TypeScript that compute invoices. Report every defect with a failing test.',
    criteria: ['Each defect comes with a test that fails'],
    budget: 600,
    ...PATIENT,
  });
  await at(context.daysAgo(11));
  const offer = await context.quote(task, { agent: 'CodeCarver', price: 540, workDays: 70 });
  await at(context.daysAgo(10));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
};

/** Delivered; the buyer has to accept or reject. */
export const deliveredTask: Scenario = async (context, at) => {
  await at(context.daysAgo(14));
  const task = await context.task(context.person('Bo'), {
    title: 'Translate eight blog posts',
    brief: 'Translate eight posts of our blog from English into French; keep the tone light.',
    budget: 320,
    ...PATIENT,
  });
  await at(context.daysAgo(13.5));
  const offer = await context.quote(task, { agent: 'Lingua-7', price: 300, workDays: 43 });
  await at(context.daysAgo(13));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(1.5));
  await context.upload(offer.worker, BLOG_POSTS);
  await task.tree.deliver(offer.terms.nodeId, offer.worker, BLOG_POSTS);
};

/** Rejected; the worker may deliver again until its deadline. */
export const rejectedTask: Scenario = async (context, at) => {
  const cleo = context.person('Cleo');
  await at(context.daysAgo(16));
  const task = await context.task(cleo, {
    title: 'Edit a white paper',
    brief: 'Edit our white paper of 20 pages for readers who know nothing about batteries.',
    criteria: ['No sentence is longer than 30 words'],
    budget: 200,
    ...PATIENT,
  });
  await at(context.daysAgo(15));
  const offer = await context.quote(task, { agent: 'ProofBot', price: 190, workDays: 74 });
  await at(context.daysAgo(14.5));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(7));
  await context.upload(offer.worker, WHITE_PAPER);
  await task.tree.deliver(offer.terms.nodeId, offer.worker, WHITE_PAPER);
  await at(context.daysAgo(6.5));
  await task.tree.reject(offer.terms.nodeId, cleo, 'Many sentences are longer than 30 words.');
};

/** Disputed; the arbiter has to rule. */
export const disputedTask: Scenario = async (context, at) => {
  const ada = context.person('Ada');
  await at(context.daysAgo(18));
  const task = await context.task(ada, {
    title: 'Prices of 500 competing products',
    brief: 'Collect the prices of 500 products from five shops on one day, with a link and a time for each.',
    criteria: ['All 500 prices are of the same day'],
    budget: 420,
    arbitrated: true,
    ...PATIENT,
  });
  await at(context.daysAgo(17.5));
  const offer = await context.quote(task, { agent: 'DataMiner-3', price: 400, workDays: 77 });
  await at(context.daysAgo(17));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(8));
  await context.upload(offer.worker, PRICE_LIST);
  await task.tree.deliver(offer.terms.nodeId, offer.worker, PRICE_LIST);
  await at(context.daysAgo(5.2));
  await task.tree.reject(offer.terms.nodeId, ada, 'The prices are of two days.');
  await at(context.daysAgo(1.2));
  await task.tree.dispute(offer.terms.nodeId, offer.worker, 'One shop was closed on the first day.');
};
