import type { ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import {
  agentText,
  amountOf,
  capital,
  deadlineText,
  heldText,
  hirerText,
  moneyText,
  promisedOf,
  taskText,
  windowText,
} from './described-facts.js';
import type { Described, Describer } from './described.js';
import type { MessageReader } from './message-reader.js';
import type { DescriptionFacts } from '../document/prepared-action.js';
import { quoted, usdcText } from '../document/shown-text.js';
import { isRootPath } from '#libs/notation';
import { floorText, lapseText, payersWorstCase, workersWorstCase } from './worst-cases.js';

const ZERO_HASH = /^0x0{64}$/;
/** Version of a node that nothing has happened to but its funding. */
const FUNDED_VERSION = 1;

/**
 * How each kind is described by which work on a node goes on or ends. They throw TypeError on a message that cannot be
 * read.
 */
export const NODE_WORK_KINDS = {
  deliver,
  resolve_task: resolveTask,
  reject_task: rejectTask,
  abandon_node: abandonNode,
  claim_non_delivery: claimNonDelivery,
  dispute_node: disputeNode,
} as const satisfies Partial<Record<ActionKind, Describer>>;

function deliver(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.deliver;
  const { revisionsLeft, hasArbiter } = facts;
  // A delivery after a rejection uses up a revision itself.
  const used = message.nodeVersion > FUNDED_VERSION ? 1 : 0;
  const next = [
    words.artifact(message.bytes32('artifactHash')),
    words.review(windowText(facts)),
    words.silence,
    revisionsLeft !== undefined && revisionsLeft <= used ? words.lastRevision : words.rejected(deadlineText(facts)),
  ];
  if (hasArbiter === true) next.push(words.contest);
  const waits = hangsOnParent(message, facts);
  next.push(!message.flag('payOut') ? words.notPaidOut : waits === false ? words.paidOut : words.paidOutLater);
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'commitment',
    next,
    worstCase: workersWorstCase(lapseText(facts), hasArbiter ?? null, waits),
    settles: words.stays(heldText(facts)),
  };
}

function resolveTask(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.resolve_task;
  const amount = message.uint('amount');
  const price = usdcText(amount);
  const agent = agentText(facts, message.address('worker'));
  const promised = promisedOf(facts) ?? 0n;
  const silence = silenceOf(facts);
  const { hangsOnParent: waits, payOut } = facts;
  const paid = payOut === true ? words.paidOut(agent) : words.payable(capital(agent));
  return {
    sentence: words.sentence(taskText(facts), price, agent),
    tone: 'irreversible',
    next: [
      words.artifact(message.bytes32('artifactHash')),
      ...(waits === undefined ? [] : [waits ? words.waits(capital(agent)) : paid]),
      ...(promised > 0n ? [words.shares(usdcText(promised))] : []),
      ACTION_WORDS.reject_task.reputation,
      ...(silence === null ? [] : [silence]),
    ],
    mustConfirm: words.confirm,
    worstCase: ACTION_WORDS.worst.resolve_task(price),
    settles: words.settles(price, agent),
  };
}

function rejectTask(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.reject_task;
  const { rejectionReason: reason, hasArbiter, deliverBy, revisionsLeft } = facts;
  // Whoever has the signature chooses the moment, so the last one counts.
  const isTooLate = deliverBy !== undefined && message.lastSecond >= deliverBy;
  const isLast = revisionsLeft === 0 || isTooLate;
  const isFinal = hasArbiter === false && isLast;
  const next = ZERO_HASH.test(message.bytes32('reasonHash'))
    ? [words.silent]
    : reason === undefined
      ? []
      : [words.told(quoted(reason))];
  next.push(isLast ? words.lastRevision : words.mend(deadlineText(facts)));
  if (hasArbiter === true) next.push(words.contest, ACTION_WORDS.dispute_node.ruling, workersLapse(facts));
  if (!isFinal) next.push(words.back);
  next.push(words.reputation, ACTION_WORDS.resolve_task.silence);
  return {
    sentence: (isFinal ? words.finalSentence : words.sentence)(taskText(facts), moneyText(facts)),
    tone: 'dispute',
    next,
    mustConfirm: isFinal ? words.confirm : null,
    worstCase: isFinal
      ? ACTION_WORDS.worst.finalRejection
      : payersWorstCase(heldText(facts), amountOf(facts.floor), hasArbiter ?? null),
    settles: isFinal ? words.returns(heldText(facts)) : words.stays(heldText(facts)),
  };
}

function abandonNode(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.abandon_node;
  const amount = message.uint('amount');
  const { subcontracts = 0 } = facts;
  return {
    sentence: words.sentence(taskText(facts), usdcText(amount), hirerText(facts)),
    tone: 'irreversible',
    next: [words.another, ...(subcontracts > 0 ? [words.others] : []), words.silence(deadlineText(facts))],
    mustConfirm: words.confirm,
    worstCase: ACTION_WORDS.worst.abandon_node,
    settles: words.settles(usdcText(amount), hirerText(facts)),
  };
}

function claimNonDelivery(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.claim_non_delivery;
  const amount = message.uint('amount');
  return {
    sentence: words.sentence(usdcText(amount), taskText(facts), deadlineText(facts)),
    // Whoever may see the node may sign, so the money is not always the reader's.
    tone: 'neutral',
    next: [words.clock, words.withdraw, words.silence],
    worstCase: ACTION_WORDS.worst.claim_non_delivery,
    settles: words.settles(usdcText(amount)),
  };
}

function disputeNode(message: MessageReader, facts: DescriptionFacts): Described {
  const words = ACTION_WORDS.dispute_node;
  const evidence = message.bytes32('evidenceHash');
  const gets = lapseText(facts);
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'dispute',
    next: [
      words.ruling,
      ACTION_WORDS.lapse(gets),
      ...(ZERO_HASH.test(evidence) ? [] : [words.evidence(evidence)]),
      words.silence,
    ],
    // Only where there is an arbiter can a rejection be contested.
    worstCase: workersWorstCase(gets, true, hangsOnParent(message, facts)),
    settles: words.stays(heldText(facts)),
  };
}

/** What a hirer loses if the arbiter is silent. */
function workersLapse({ floor }: DescriptionFacts): string {
  return ACTION_WORDS.lapse(ACTION_WORDS.allGet('the worker', floorText(amountOf(floor))));
}

/** What a hirer's silence does, which the state of its node decides; null where that is not known. */
function silenceOf(facts: DescriptionFacts): string | null {
  const { nodeState: state } = facts;
  if (state === 'delivered') return ACTION_WORDS.resolve_task.silence;
  if (state === 'rejected') return ACTION_WORDS.reject_task.back;
  return state === 'disputed' ? workersLapse(facts) : null;
}

/** Whether the worker is paid only when a job above is accepted, too; null when that is not known. */
function hangsOnParent(message: MessageReader, facts: DescriptionFacts): boolean | null {
  return isRootPath(message.uint('nodeId')) ? false : (facts.hangsOnParent ?? null);
}
