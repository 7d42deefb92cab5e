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
  const hasArbiter = message.address('arbiter') !== ZERO_ADDRESS;
  const hangsOnParent = !message.flag('terms.hirerFunded');
  return {
    sentence: words.sentence(taskText(facts), price, durationText(message.seconds('terms.workSeconds'))),
    tone: 'commitment',
    next: [
      hangsOnParent ? words.contingent(pathText(parentPath(message.uint('terms.nodeId')))) : words.paidFirst(price),
      words.taken(timeText(message.lastSecond)),
      words.review(durationText(message.seconds('terms.acceptWindow'))),
      ACTION_WORDS.terms.revisions('you', message.seconds('terms.maxRevisions')),
      ACTION_WORDS.terms.floor('you', usdcText(floor), hasArbiter),
      words.lateDelivery,
      words.silence,
    ],
    worstCase: workersWorstCase(floor, hasArbiter, hangsOnParent),
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
  const { lines, floor } = termsOf(message, facts);
  return {
    sentence: words.sentence(price, taskText(facts)),
    tone: 'outgoing',
    next: [...(message.isPermit ? [words.permit] : []), ...lines, words.nonDelivery(price), words.silence],
    worstCase: payersWorstCase(price, floor, facts.hasArbiter ?? null),
  };
}

function subcontract(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.subcontract;
  const amount = message.price;
  const price = usdcText(amount);
  const { agent, lines, floor, isFromWallet } = termsOf(message, facts);
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
      ...lines,
      ACTION_WORDS.fund_task.nonDelivery(price),
      ACTION_WORDS.fund_task.silence,
      ...(isFromWallet ? [] : [words.promised]),
    ],
    worstCase: payersWorstCase(price, floor, facts.hasArbiter ?? null),
    ...(isFromWallet ? {} : { settles: words.settles(price, agent) }),
  };
}

/**
 * The terms as the hirer reads them. A permit has none, so for it they come from the facts as far as these are known.
 */
function termsOf(message: MessageReader, facts: DescriptionFacts) {
  const { isPermit } = message;
  const agent = agentText(facts, isPermit ? undefined : message.address('terms.worker'));
  const floor = isPermit ? amountOf(facts.floor) : message.uint('terms.floor');
  const revisions = isPermit ? facts.revisionsLeft : message.seconds('terms.maxRevisions');
  const { work, revisions: again, floor: floorLine } = ACTION_WORDS.terms;
  return {
    isFromWallet: isPermit || message.flag('terms.hirerFunded'),
    agent,
    floor,
    lines: [
      work(
        capital(agent),
        secondsText(isPermit ? facts.workSeconds : message.seconds('terms.workSeconds')),
        secondsText(isPermit ? facts.acceptWindowSeconds : message.seconds('terms.acceptWindow')),
      ),
      ...(revisions === undefined ? [] : [again('they', revisions)]),
      ...(floor === null ? [] : [floorLine('they', usdcText(floor), facts.hasArbiter !== false)]),
    ],
  };
}

/** A length of time, or "the agreed time" when it is not known. */
function secondsText(seconds: number | undefined): string {
  return seconds === undefined ? ACTION_WORDS.aWhile : durationText(seconds);
}
