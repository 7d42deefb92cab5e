import type { ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import { agentText, amountOf, capital, deadlineText, taskText, windowText } from './described-facts.js';
import { ZERO_ADDRESS } from '../document/evm-address.js';
import type { MessageReader } from './message-reader.js';
import type { Description, DescriptionFacts } from '../document/prepared-action.js';
import { durationText, timeText, usdcText } from '../document/shown-text.js';

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
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function submitQuote(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.submit_quote;
  const amount = message.price;
  const price = usdcText(amount);
  return {
    sentence: words.sentence(taskText(facts), price, timeText(message.seconds('terms.deliverBy'))),
    tone: 'commitment',
    next: [
      message.flag('terms.hirerFunded')
        ? words.paidFirst(price)
        : words.contingent(String(message.uint('terms.parentNodeId'))),
      words.taken(timeText(message.lastSecond)),
      words.review(durationText(message.seconds('terms.acceptWindow'))),
      words.lateDelivery,
      words.silence,
    ],
    mustConfirm: null,
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function selectAgent(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.select_agent;
  const amount = message.price;
  const until = timeText(message.lastSecond);
  const window = durationText(message.seconds('terms.acceptWindow'));
  return {
    sentence: words.sentence(agentText(facts, message.address('terms.worker')), usdcText(amount), taskText(facts)),
    tone: 'neutral',
    next: [
      words.due(usdcText(amount), until),
      words.delivery(timeText(message.seconds('terms.deliverBy')), window),
      words.silence(until),
    ],
    mustConfirm: null,
    amount,
    settles: ACTION_WORDS.noMoney,
  };
}

function fundTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.fund_task;
  const amount = message.price;
  const price = usdcText(amount);
  const agent = agentText(facts, message.has('worker') ? message.address('worker') : undefined);
  return {
    sentence: words.sentence(price, taskText(facts)),
    tone: 'outgoing',
    next: [
      ...(message.isPermit ? [words.permit] : []),
      words.delivery(capital(agent), deadlineText(facts)),
      words.review(windowText(facts)),
      words.nonDelivery(price),
      words.silence,
    ],
    mustConfirm: null,
    amount,
  };
}

function subcontract(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.subcontract;
  const amount = message.price;
  const price = usdcText(amount);
  const own = termsOf(message, facts);
  const free = amountOf(facts.unallocated);
  const sentence = own.isFromWallet
    ? words.fromWallet(own.agent, price, taskText(facts))
    : free === null
      ? words.fromNodeOnly(own.agent, price, taskText(facts))
      : words.fromNode(own.agent, price, usdcText(free), taskText(facts));
  const margin = own.isFromWallet || free === null || free < amount ? [] : [words.margin(usdcText(free - amount))];
  return {
    sentence,
    tone: 'outgoing',
    next: [
      ...(message.isPermit ? [ACTION_WORDS.fund_task.permit] : []),
      ...margin,
      own.isFromWallet ? words.independent : words.contingent,
      words.delivery(own.deadline, own.window),
      words.back(price),
      words.silence,
      ...(own.isFromWallet ? [] : [words.promised]),
    ],
    mustConfirm: null,
    amount,
    ...(own.isFromWallet ? {} : { settles: words.settles(price, own.agent) }),
  };
}

/** The terms of the message. A permit has none, so for it they come from the facts as far as these are known. */
function termsOf(message: MessageReader, facts: DescriptionFacts) {
  if (message.isPermit) {
    return { isFromWallet: true, agent: agentText(facts), deadline: deadlineText(facts), window: windowText(facts) };
  }
  return {
    isFromWallet: message.flag('terms.hirerFunded'),
    agent: agentText(facts, message.address('terms.worker')),
    deadline: timeText(message.seconds('terms.deliverBy')),
    window: durationText(message.seconds('terms.acceptWindow')),
  };
}
