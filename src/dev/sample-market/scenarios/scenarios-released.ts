import { FundingMode } from '#libs/contracts';
import { USER_GUIDE } from '../seeds/sample-artifacts.js';
import { type Scenario, usdc } from './scenario-context.js';

const DAY_SECONDS = 86_400;

/** Accepted by the buyer and withdrawn in full; another offer was not selected. */
export const acceptedAndPaid: Scenario = async (scene, at) => {
  const ada = scene.person('Ada');
  await at(scene.daysAgo(58));
  const task = await scene.task(ada, {
    title: 'Translate a 40-page user guide into German',
    brief:
      'Translate the user guide of our label printer from English into German. Keep the numbering of the figures and use the attached glossary for all parts of the machine.',
    criteria: ['All 40 pages are translated', 'Glossary terms are used throughout', 'Figures keep their numbers'],
    budget: 700,
  });
  await at(scene.daysAgo(57));
  await scene.quote(task, { agent: 'ProofBot', price: 690, deliverBy: 48 });
  const offer = await scene.quote(task, { agent: 'Lingua-7', price: 620, deliverBy: 50 });
  await at(scene.daysAgo(56));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(51));
  await scene.upload(offer.worker, USER_GUIDE);
  await task.tree.deliver(offer.terms.nodeId, offer.worker, USER_GUIDE);
  await at(scene.daysAgo(50));
  await task.tree.accept(offer.terms.nodeId, ada);
  await at(scene.daysAgo(49));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(620));
};

/** Delivered, and accepted because the buyer did not respond in time. The earnings are still in the escrow. */
export const acceptedBySilence: Scenario = async (scene, at) => {
  await at(scene.daysAgo(55));
  const task = await scene.task(scene.person('Bo'), {
    title: 'Proofread twelve product pages',
    brief:
      'Proofread twelve product pages of our English shop for spelling, grammar and house style. Return a list of the changes.',
    criteria: ['Every change is in the list'],
    budget: 150,
  });
  await at(scene.daysAgo(54));
  const offer = await scene.quote(task, { agent: 'ProofBot', price: 120, deliverBy: 45 });
  await at(scene.daysAgo(53));
  await scene.select(task, offer);
  await task.hiring.fund(offer, FundingMode.Allowance);
  await at(scene.daysAgo(49));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Twelve pages, 214 changes');
  await at(scene.daysAgo(45));
  await task.tree.finalize(offer.terms.nodeId);
};

/** Rejected, disputed, and split by the arbiter; both sides have withdrawn their part. */
export const ruled: Scenario = async (scene, at) => {
  const cleo = scene.person('Cleo');
  await at(scene.daysAgo(54));
  const task = await scene.task(cleo, {
    title: 'Clean and label 10,000 support tickets',
    brief: 'Remove duplicates and personal data from 10,000 support tickets and label each with one of our 18 topics.',
    criteria: ['No personal data remains', 'At least 95 % of a sample of 200 labels are right'],
    budget: 500,
    arbitrated: true,
  });
  await at(scene.daysAgo(53));
  const offer = await scene.quote(task, { agent: 'DataMiner-3', price: 480, deliverBy: 42 });
  await at(scene.daysAgo(52));
  await scene.select(task, offer);
  await task.hiring.fund(offer, FundingMode.Permit);
  await at(scene.daysAgo(44));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Labelled tickets, first version');
  await at(scene.daysAgo(43));
  await task.tree.reject(offer.terms.nodeId, cleo, 'The sample has 89 % right labels.');
  await at(scene.daysAgo(42.5));
  await task.tree.dispute(
    offer.terms.nodeId,
    offer.worker,
    'Two of the 18 topics overlap; without them the sample has 96 %.',
  );
  await at(scene.daysAgo(36));
  await task.tree.rule(
    offer.terms.nodeId,
    scene.judge,
    usdc(320),
    'Two thirds: the topics do overlap, personal data is removed.',
  );
  await at(scene.daysAgo(35));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(320));
  await task.tree.withdrawRefund(cleo, usdc(160));
};

/** Disputed, and the arbiter did not rule in time: half each. */
export const rulingLapsed: Scenario = async (scene, at) => {
  const bo = scene.person('Bo');
  await at(scene.daysAgo(52));
  const task = await scene.task(bo, {
    title: 'Importer for bank statements',
    brief: 'A TypeScript importer that reads the CSV exports of three banks into one table, with tests.',
    criteria: ['All three sample files import without errors', 'Tests cover every column'],
    budget: 400,
    arbitrated: true,
    direct: true,
  });
  await at(scene.daysAgo(51));
  const offer = await scene.quote(task, { agent: 'CodeCarver', price: 360, deliverBy: 41 });
  await at(scene.daysAgo(50));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(42));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Importer, two of three banks');
  await at(scene.daysAgo(41));
  await task.tree.reject(offer.terms.nodeId, bo, 'The third bank is missing.');
  await at(scene.daysAgo(40));
  await task.tree.dispute(offer.terms.nodeId, offer.worker, 'The third sample file was never sent.');
  await at(scene.daysAgo(9.5));
  await task.tree.finalize(offer.terms.nodeId);
  await at(scene.daysAgo(9));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(180));
};

/** Buyer and worker agreed on a split; the buyer's part is still in the tree's escrow. */
export const agreedSplit: Scenario = async (scene, at) => {
  const ada = scene.person('Ada');
  await at(scene.daysAgo(40));
  const task = await scene.task(ada, {
    title: 'Nine charts for the annual report',
    brief: 'Draw nine charts from the attached tables in our colours, as vector files that print well.',
    criteria: ['Nine vector files', 'Readable in black and white'],
    budget: 300,
  });
  await at(scene.daysAgo(39));
  const offer = await scene.quote(task, { agent: 'ChartSmith', price: 270, deliverBy: 30 });
  await at(scene.daysAgo(38));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(33));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, 'Seven of nine charts');
  await at(scene.daysAgo(32));
  await task.tree.agree(offer.terms.nodeId, ada, offer.worker, usdc(210));
  await at(scene.daysAgo(31));
  await task.tree.withdrawEarnings(offer.terms.nodeId, offer.worker, usdc(210));
};

/** A second settled job of the agent `Lingua-7`, for another buyer. */
export const secondTranslation: Scenario = async (scene, at) => {
  const cleo = scene.person('Cleo');
  await at(scene.daysAgo(30));
  const task = await scene.task(cleo, {
    title: 'Localize a checkout into French',
    brief: 'Translate 480 strings of our checkout into French and check them on the screen for length.',
    criteria: ['No string is cut off on a 360-pixel screen'],
    budget: 450,
    deliveryWindowSeconds: 10 * DAY_SECONDS,
  });
  await at(scene.daysAgo(29));
  await scene.quote(task, { agent: 'CodeCarver', price: 450, deliverBy: 18 });
  const offer = await scene.quote(task, { agent: 'Lingua-7', price: 410, deliverBy: 20 });
  await at(scene.daysAgo(28));
  await scene.select(task, offer);
  await task.hiring.fund(offer);
  await at(scene.daysAgo(22));
  await task.tree.deliver(offer.terms.nodeId, offer.worker, '480 strings, French');
  await at(scene.daysAgo(21));
  await task.tree.accept(offer.terms.nodeId, cleo);
};
