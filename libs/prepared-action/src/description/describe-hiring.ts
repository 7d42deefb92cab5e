import type { ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import { agentText, amountOf, capital, taskText } from './described-facts.js';
import { ZERO_ADDRESS } from '../document/evm-address.js';
import { parentPath, pathText } from '#libs/notation';
import type { Described, Describer } from './described.js';
import type { MessageReader } from './message-reader.js';
import type { DescriptionFacts } from '../document/prepared-action.js';
import { durationText, timeText, usdcText } from '../document/shown-text.js';
import { payersWorstCase, workersWorstCase } from './worst-cases.js';

/** How each kind is described by which somebody is hired. They throw TypeError on a message that cannot be read. */
export const HIRING_KINDS = {
  create_task: createTask,
  submit_quote: submitQuote,
  select_agent: selectAgent,
  fund_task: fundTask,
  subcontract,
} as const satisfies Partial<Record<ActionKind, Describer>>;

function createTask(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.create_task;
  const amount = message.uint('budget');
  const arbiter = message.address('arbiter');
  return {
    sentence: words.sentence(taskText(facts, ACTION_WORDS.aTask), usdcText(amount)),
    tone: 'neutral',
    next: [
      words.offersUntil(timeText(message.lastSecond)),
      arbiter === ZERO_ADDRESS ? words.noArbiter : words.arbiter(arbiter),
      words.silence,
    ],
    worstCase: ACTION_WORDS.worst.nothing,
    settles: ACTION_WORDS.noMoney,
  };
}

function submitQuote(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.submit_quote;
  const amount = message.price;
  const price = usdcText(amount);
  const floor = message.uint('terms.floor');
  const arbiter = message.address('arbiter');
  const hasArbiter = arbiter !== ZERO_ADDRESS;
  const hangsOnParent = !message.flag('terms.hirerFunded');
  return {
    sentence: words.sentence(taskText(facts), price, durationText(message.seconds('terms.workSeconds'))),
    tone: 'commitment',
    next: [
      hangsOnParent ? words.contingent(pathText(parentPath(message.uint('terms.nodeId')))) : words.paidFirst(price),
      words.taken(timeText(message.lastSecond)),
      words.review(durationText(message.seconds('terms.acceptWindow'))),
      ACTION_WORDS.terms.revisions('you', message.seconds('terms.maxRevisions')),
      hasArbiter ? ACTION_WORDS.create_task.arbiter(arbiter) : ACTION_WORDS.create_task.noArbiter,
      ACTION_WORDS.terms.floor('you', usdcText(floor), hasArbiter),
      words.lateDelivery,
      words.silence,
    ],
    worstCase: workersWorstCase(ACTION_WORDS.allGet('you', usdcText(floor)), hasArbiter, hangsOnParent),
    settles: ACTION_WORDS.noMoney,
  };
}

function selectAgent(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.select_agent;
  const amount = message.price;
  const { agent, lines } = termsOf(message, facts);
  return {
    sentence: words.sentence(agent, usdcText(amount), taskText(facts)),
    tone: 'neutral',
    next: [...lines, words.silence(timeText(message.lastSecond))],
    worstCase: ACTION_WORDS.worst.nothing,
    settles: ACTION_WORDS.noMoney,
  };
}

function fundTask(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.fund_task;
  const amount = message.price;
  const price = usdcText(amount);
  const { lines, floor, payment } = termsOf(message, facts);
  return {
    sentence: words.sentence(price, taskText(facts)),
    tone: 'outgoing',
    next: [...payment, ...lines, words.nonDelivery(price), words.silence],
    worstCase: payersWorstCase(price, floor, facts.hasArbiter ?? null),
  };
}

function subcontract(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.subcontract;
  const amount = message.price;
  const price = usdcText(amount);
  const { agent, lines, floor, payment, isFromWallet } = termsOf(message, facts);
  const free = amountOf(facts.unallocated);
  const source = isFromWallet ? words.fromWallet : words.ofPay(free === null ? words.ownPay : usdcText(free));
  const margin = isFromWallet || free === null || free < amount ? [] : [words.margin(usdcText(free - amount))];
  return {
    sentence: words.sentence(agent, taskText(facts), price, source),
    tone: 'outgoing',
    next: [
      ...margin,
      ...payment,
      isFromWallet ? words.independent : words.contingent,
      ...lines,
      ACTION_WORDS.fund_task.nonDelivery(price),
      ACTION_WORDS.fund_task.silence,
      ...(isFromWallet ? [] : [words.promised]),
    ],
    worstCase: payersWorstCase(price, floor, facts.hasArbiter ?? null),
    ...(isFromWallet ? {} : { settles: words.settles(price, agent) }),
  };
}

/** The terms as the hirer reads them. */
function termsOf(message: MessageReader, facts: DescriptionFacts) {
  const worker = message.address('terms.worker');
  const agent = agentText(facts, worker);
  const { arbiter, hasArbiter } = facts;
  const { permit, paidTo } = ACTION_WORDS.fund_task;
  const floor = message.uint('terms.floor');
  const { work, revisions: again, floor: floorLine } = ACTION_WORDS.terms;
  return {
    /** What the token's own message does not show. */
    payment: [
      ...(message.isPermit ? [permit] : []),
      paidTo(worker),
      ...(arbiter === undefined || hasArbiter !== true ? [] : [ACTION_WORDS.create_task.arbiter(arbiter)]),
    ],
    isFromWallet: message.flag('terms.hirerFunded'),
    agent,
    floor,
    lines: [
      work(
        capital(agent),
        durationText(message.seconds('terms.workSeconds')),
        durationText(message.seconds('terms.acceptWindow')),
      ),
      again('they', message.seconds('terms.maxRevisions')),
      floorLine('they', usdcText(floor), hasArbiter !== false),
    ],
  };
}
