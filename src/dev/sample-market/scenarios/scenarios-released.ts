import { FundingMode } from '#libs/contracts';
import { USER_GUIDE } from '../seeds/sample-artifacts.js';
import { type Scenario, usdc } from './scenario-context.js';

const DAY_SECONDS = 86_400;
/** A delivery whose worker takes its earnings out itself. */
const LATER = { payOut: false };

/** Accepted by the buyer, which paid the worker's own wallet at once; another offer was not selected. */
export const acceptedAndPaid: Scenario = async (context, at) => {
  const ada = context.person('Ada');
  await at(context.daysAgo(58));
  const task = await context.task(ada, {
    title: 'Translate a 40-page user guide into German',
    brief:
      'Translate the user guide of our label printer from English into German. Keep the numbering of the figures and use the attached glossary for all parts of the machine.',
    criteria: ['All 40 pages are translated', 'Glossary terms are used throughout', 'Figures keep their numbers'],
    budget: 700,
  });
  await at(context.daysAgo(57));
  await context.quote(task, { agent: 'ProofBot', price: 690, workDays: 8 });
  const offer = await context.quote(task, { agent: 'Lingua-7', price: 620, workDays: 6 });
  await at(context.daysAgo(56));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(51));
  await context.upload(offer.worker, USER_GUIDE);
  await task.tree.deliver(offer.terms.nodeId, offer.worker, USER_GUIDE);
  await at(context.daysAgo(50));
  await task.tree.accept(offer.terms.nodeId, ada);
};

/** Delivered, and accepted because the buyer did not respond in time. The earnings are still in the escrow. */
export const acceptedBySilence: Scenario = async (context, at) => {
  await at(context.daysAgo(55));
  const task = await context.task(context.person('Bo'), {
    title: 'Proofread twelve product pages',
    brief:
      'Proofread twelve product pages of our English shop for spelling, grammar and house style. Return a list of the changes.',
    criteria: ['Every change is in the list'],
    budget: 150,
  });
  await at(context.daysAgo(54));
  const offer = await context.quote(task, { agent: 'ProofBot', price: 120, workDays: 8 });
  await at(context.daysAgo(53));
  await task.hiring.select(offer);
  await task.hiring.fund(offer, FundingMode.Allowance);
  await at(context.daysAgo(49));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Twelve pages, 214 changes', LATER);
  await at(context.daysAgo(45));
  await task.tree.finalize(offer.terms.nodeId);
};

/** Rejected, disputed, and split by the arbiter; both sides have withdrawn their part. */
export const ruled: Scenario = async (context, at) => {
  const cleo = context.person('Cleo');
  await at(context.daysAgo(54));
  const task = await context.task(cleo, {
    title: 'Clean and label 10,000 support tickets',
    brief: 'Remove duplicates and personal data from 10,000 support tickets and label each with one of our 18 topics.',
    criteria: ['No personal data remains', 'At least 95 % of a sample of 200 labels are right'],
    budget: 500,
    arbitrated: true,
  });
  await at(context.daysAgo(53));
  const offer = await context.quote(task, { agent: 'DataMiner-3', price: 480, workDays: 10 });
  await at(context.daysAgo(52));
  await task.hiring.select(offer);
  await task.hiring.fund(offer, FundingMode.Permit);
  await at(context.daysAgo(44));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Labelled tickets, first version', LATER);
  await at(context.daysAgo(43));
  await task.tree.reject(offer.terms.nodeId, cleo, 'The sample has 89 % right labels.');
  await at(context.daysAgo(42.5));
  await task.tree.dispute(
    offer.terms.nodeId,
    offer.worker,
    'Two of the 18 topics overlap; without them the sample has 96 %.',
  );
  await at(context.daysAgo(36));
  await task.tree.rule(
    offer.terms.nodeId,
    context.judge,
    usdc(320),
    'Two thirds: the topics do overlap, personal data is removed.',
  );
  await at(context.daysAgo(35));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(320));
  await task.tree.withdrawRefund(cleo, usdc(160));
};

/** Disputed, and the arbiter did not rule in time: the worker gets the floor that both had signed. */
export const rulingLapsed: Scenario = async (context, at) => {
  const bo = context.person('Bo');
  await at(context.daysAgo(52));
  const task = await context.task(bo, {
    title: 'Importer for bank statements',
    brief: 'A TypeScript importer that reads the CSV exports of three banks into one table, with tests.',
    criteria: ['All three sample files import without errors', 'Tests cover every column'],
    budget: 400,
    arbitrated: true,
    direct: true,
  });
  await at(context.daysAgo(51));
  const offer = await context.quote(task, { agent: 'CodeCarver', price: 360, floor: 150, workDays: 9 });
  await at(context.daysAgo(50));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(42));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Importer, two of three banks', LATER);
  await at(context.daysAgo(41));
  await task.tree.reject(offer.terms.nodeId, bo, 'The third bank is missing.');
  await at(context.daysAgo(40));
  await task.tree.dispute(offer.terms.nodeId, offer.worker, 'The third sample file was never sent.');
  await at(context.daysAgo(9.5));
  await task.tree.finalize(offer.terms.nodeId);
  await at(context.daysAgo(9));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(150));
};

/** Buyer and worker agreed on a split; the buyer's part is still in the tree's escrow. */
export const agreedSplit: Scenario = async (context, at) => {
  const ada = context.person('Ada');
  await at(context.daysAgo(40));
  const task = await context.task(ada, {
    title: 'Nine charts for the annual report',
    brief: 'Draw nine charts from the attached tables in our colours, as vector files that print well.',
    criteria: ['Nine vector files', 'Readable in black and white'],
    budget: 300,
  });
  await at(context.daysAgo(39));
  const offer = await context.quote(task, { agent: 'ChartSmith', price: 270, workDays: 8 });
  await at(context.daysAgo(38));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(33));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Seven of nine charts', LATER);
  await at(context.daysAgo(32));
  await task.tree.agree(offer.terms.nodeId, ada, offer.worker, usdc(210));
  await at(context.daysAgo(31));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(210));
};

/** A second settled job of the agent `Lingua-7`, for another buyer: rejected, delivered again and accepted. */
export const secondTranslation: Scenario = async (context, at) => {
  const cleo = context.person('Cleo');
  await at(context.daysAgo(30));
  const task = await context.task(cleo, {
    title: 'Localize a checkout into French',
    brief: 'Translate 480 strings of our checkout into French and check them on the screen for length.',
    criteria: ['No string is cut off on a 360-pixel screen'],
    budget: 450,
    deliveryWindowSeconds: 10 * DAY_SECONDS,
  });
  await at(context.daysAgo(29));
  await context.quote(task, { agent: 'CodeCarver', price: 450, workDays: 10 });
  const offer = await context.quote(task, { agent: 'Lingua-7', price: 410, workDays: 8 });
  await at(context.daysAgo(28));
  await task.hiring.select(offer);
  await task.hiring.fund(offer);
  await at(context.daysAgo(22));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, '480 strings, French');
  await at(context.daysAgo(21.5));
  await task.tree.reject(offer.terms.nodeId, cleo, 'Two buttons are cut off.');
  await at(context.daysAgo(21));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, '480 strings, French, two of them shorter');
  await at(context.daysAgo(20.5));
  await task.tree.accept(offer.terms.nodeId, cleo);
};
