import type { ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import { agentText, amountOf, capital, taskText } from './described-facts.js';
import { ZERO_ADDRESS } from '../document/evm-address.js';
import { parentPath, pathText } from '#libs/notation';
import type { MessageReader } from './message-reader.js';
import type { Description, DescriptionFacts } from '../document/prepared-action.js';
import { durationText, timeText, usdcText } from '../document/shown-text.js';
import { payersWorstCase, workersWorstCase } from './worst-cases.js';

const HIRING = ['create_task', 'submit_quote', 'select_agent', 'fund_task', 'subcontract'] as const;
type HiringKind = (typeof HIRING)[number];

/** True for the kinds by which somebody is hired. */
export function isHiringKind(kind: ActionKind): kind is HiringKind {
  return HIRING.some((one) => one === kind);
}

/** Describes an action of a kind by which somebody is hired. Throws TypeError on a message that cannot be read. */
export function describeHiring(kind: HiringKind, message: MessageReader, facts: DescriptionFacts): Description {
  switch (kind) {
    case 'create_task':
      return createTask(message, facts);
    case 'submit_quote':
      return submitQuote(message, facts);
    case 'select_agent':
      return selectAgent(message, facts);
    case 'fund_task':
      return fundTask(message, facts);
    case 'subcontract':
      return subcontract(message, facts);
  }
}

function createTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.create_task;
  const amount = message.uint('budget');
  const arbiter = message.address('arbiter');
  return {
    sentence: words.sentence(taskText(facts, ACTION_WORDS.aTask), usdcText(amount)),
    tone: 'neutral',
    next: [
      words.offersUntil(timeText(message.lastSecond)),
      arbiter === ZERO_ADDRESS ? words.noArbiter : words.arbiter(arbiter),
      words.money,
      words.silence,
    ],
    mustConfirm: null,
    worstCase: ACTION_WORDS.worst.create_task,
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function submitQuote(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.submit_quote;
  const amount = message.price;
  const price = usdcText(amount);
  const floor = message.uint('terms.floor');
  const hasArbiter = message.address('arbiter') !== ZERO_ADDRESS;
  const hangsOnParent = !message.flag('terms.hirerFunded');
  return {
    sentence: words.sentence(taskText(facts), price, durationText(message.seconds('terms.workSeconds'))),
    tone: 'commitment',
    next: [
      hangsOnParent ? words.contingent(pathText(parentPath(message.uint('terms.nodeId')))) : words.paidFirst(price),
      words.taken(timeText(message.lastSecond)),
      words.review(durationText(message.seconds('terms.acceptWindow'))),
      words.revisions(message.seconds('terms.maxRevisions')),
      hasArbiter ? words.floor(usdcText(floor)) : words.mostForHelpers(usdcText(floor)),
      words.lateDelivery,
      words.silence,
    ],
    mustConfirm: null,
    worstCase: workersWorstCase(floor, hasArbiter, hangsOnParent),
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function selectAgent(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.select_agent;
  const amount = message.price;
  const until = timeText(message.lastSecond);
  const { agent, work, window, rules } = termsOf(message, facts);
  return {
    sentence: words.sentence(agent, usdcText(amount), taskText(facts)),
    tone: 'neutral',
    next: [words.due(usdcText(amount), until), words.delivery(work, window), ...rules, words.silence(until)],
    mustConfirm: null,
    worstCase: ACTION_WORDS.worst.select_agent,
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function fundTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.fund_task;
  const amount = message.price;
  const price = usdcText(amount);
  const { agent, work, window, rules, floor } = termsOf(message, facts);
  return {
    sentence: words.sentence(price, taskText(facts)),
    tone: 'outgoing',
    next: [
      ...(message.isPermit ? [words.permit] : []),
      words.delivery(capital(agent), work),
      words.review(window),
      ...rules,
      words.nonDelivery(price),
      words.silence,
    ],
    mustConfirm: null,
    worstCase: payersWorstCase(amount, floor, facts.hasArbiter ?? null),
    amount,
  };
}

function subcontract(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.subcontract;
  const amount = message.price;
  const price = usdcText(amount);
  const { agent, work, window, rules, floor, isFromWallet } = termsOf(message, facts);
  const free = amountOf(facts.unallocated);
  const sentence = isFromWallet
    ? words.fromWallet(agent, price, taskText(facts))
    : free === null
      ? words.fromNodeOnly(agent, price, taskText(facts))
      : words.fromNode(agent, price, usdcText(free), taskText(facts));
  const margin = isFromWallet || free === null || free < amount ? [] : [words.margin(usdcText(free - amount))];
  return {
    sentence,
    tone: 'outgoing',
    next: [
      ...(message.isPermit ? [ACTION_WORDS.fund_task.permit] : []),
      ...margin,
      isFromWallet ? words.independent : words.contingent,
      words.delivery(work, window),
      ...rules,
      words.back(price),
      words.silence,
      ...(isFromWallet ? [] : [words.promised]),
    ],
    mustConfirm: null,
    worstCase: payersWorstCase(amount, floor, facts.hasArbiter ?? null),
    amount,
    ...(isFromWallet ? {} : { settles: words.settles(price, agent) }),
  };
}

/**
 * The terms as the hirer reads them. A permit has none, so for it they come from the facts as far as these are known.
 */
function termsOf(message: MessageReader, facts: DescriptionFacts) {
  const { hasArbiter, revisionsLeft, workSeconds, acceptWindowSeconds } = facts;
  const terms = message.isPermit
    ? {
        isFromWallet: true,
        agent: agentText(facts),
        workSeconds,
        acceptWindow: acceptWindowSeconds,
        floor: amountOf(facts.floor),
        revisions: revisionsLeft,
      }
    : {
        isFromWallet: message.flag('terms.hirerFunded'),
        agent: agentText(facts, message.address('terms.worker')),
        workSeconds: message.seconds('terms.workSeconds'),
        acceptWindow: message.seconds('terms.acceptWindow'),
        floor: message.uint('terms.floor'),
        revisions: message.seconds('terms.maxRevisions'),
      };
  const { isFromWallet, agent, floor, revisions } = terms;
  const { floor: withArbiter, mostForHelpers, revisions: again } = ACTION_WORDS.select_agent;
  return {
    isFromWallet,
    agent,
    floor,
    work: secondsText(terms.workSeconds),
    window: secondsText(terms.acceptWindow),
    rules: [
      ...(revisions === undefined ? [] : [again(revisions)]),
      ...(floor === null ? [] : [(hasArbiter === false ? mostForHelpers : withArbiter)(usdcText(floor))]),
    ],
  };
}

/** A length of time, or "the agreed time" when it is not known. */
function secondsText(seconds: number | undefined): string {
  return seconds === undefined ? ACTION_WORDS.aWhile : durationText(seconds);
}
