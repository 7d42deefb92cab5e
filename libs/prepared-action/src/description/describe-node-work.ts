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
import type { MessageReader } from './message-reader.js';
import type { Description, DescriptionFacts } from '../document/prepared-action.js';
import { quoted, usdcText } from '../document/shown-text.js';
import { pathLevel } from '#libs/notation';
import { floorText, workersWorstCase } from './worst-cases.js';

/** The kinds by which work on a node goes on or ends. */
export type NodeWorkKind = Extract<
  ActionKind,
  'deliver' | 'resolve_task' | 'reject_task' | 'abandon_node' | 'claim_non_delivery' | 'dispute_node'
>;

const ZERO_HASH = /^0x0{64}$/;
/** Version of a node that nothing has happened to but its funding. */
const FUNDED_VERSION = 1;

/**
 * Describes an action of a kind by which work on a node goes on or ends. Throws TypeError on a message that cannot be
 * read.
 */
export function describeNodeWork(kind: NodeWorkKind, message: MessageReader, facts: DescriptionFacts): Description {
  switch (kind) {
    case 'deliver':
      return deliver(message, facts);
    case 'resolve_task':
      return resolveTask(message, facts);
    case 'reject_task':
      return rejectTask(message, facts);
    case 'abandon_node':
      return abandonNode(message, facts);
    case 'claim_non_delivery':
      return claimNonDelivery(message, facts);
    case 'dispute_node':
      return disputeNode(message, facts);
  }
}

function deliver(message: MessageReader, facts: DescriptionFacts): Description {
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
  next.push(message.flag('payOut') ? words.paidOut : words.notPaidOut);
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'commitment',
    next,
    mustConfirm: null,
    worstCase: workersWorstCase(amountOf(facts.floor), hasArbiter ?? null, hangsOnParent(message, facts)),
    settles: words.stays(heldText(facts)),
  };
}

function resolveTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.resolve_task;
  const amount = message.uint('amount');
  const price = usdcText(amount);
  const agent = agentText(facts, message.address('worker'));
  const promised = promisedOf(facts);
  const { hangsOnParent: waits, payOut } = facts;
  const paid = payOut === true ? words.paidOut(agent) : words.payable(capital(agent));
  return {
    sentence: words.sentence(taskText(facts), price, agent),
    tone: 'irreversible',
    next: [
      words.artifact(message.bytes32('artifactHash')),
      ...(waits === undefined ? [] : [waits ? words.waits(capital(agent)) : paid]),
      ...(promised === null ? [] : [words.shares(usdcText(promised))]),
      ACTION_WORDS.reject_task.reputation,
      words.silence,
    ],
    mustConfirm: words.confirm,
    worstCase: ACTION_WORDS.worst.resolve_task(price),
    amount,
    settles: words.settles(price, agent),
  };
}

function rejectTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.reject_task;
  const { rejectionReason: reason, hasArbiter, deliverBy, revisionsLeft, nowMs } = facts;
  const isTooLate = deliverBy !== undefined && nowMs > deliverBy * 1000;
  const isLast = revisionsLeft === 0 || isTooLate;
  const isFinal = hasArbiter === false && isLast;
  const next = ZERO_HASH.test(message.bytes32('reasonHash'))
    ? [words.silent]
    : reason === undefined
      ? []
      : [words.told(quoted(reason))];
  next.push(isLast ? words.lastRevision : words.mend(deadlineText(facts)));
  if (hasArbiter === true) next.push(words.contest(floorText(amountOf(facts.floor))));
  if (!isFinal) next.push(words.back);
  next.push(words.reputation, words.silence);
  return {
    sentence: (isFinal ? words.finalSentence : words.sentence)(taskText(facts), moneyText(facts)),
    tone: 'dispute',
    next,
    mustConfirm: isFinal ? words.confirm : null,
    worstCase: rejectersWorstCase(facts, isFinal),
    settles: isFinal ? words.returns(heldText(facts)) : words.stays(heldText(facts)),
  };
}

function abandonNode(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.abandon_node;
  const amount = message.uint('amount');
  const { subcontracts = 0 } = facts;
  return {
    sentence: words.sentence(taskText(facts), usdcText(amount), hirerText(facts)),
    tone: 'irreversible',
    next: [
      words.closed,
      words.another,
      ...(subcontracts > 0 ? [words.others(subcontracts)] : []),
      words.silence(deadlineText(facts)),
    ],
    mustConfirm: words.confirm,
    worstCase: ACTION_WORDS.worst.abandon_node,
    amount,
    settles: words.settles(usdcText(amount), hirerText(facts)),
  };
}

function claimNonDelivery(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.claim_non_delivery;
  const amount = message.uint('amount');
  return {
    sentence: words.sentence(usdcText(amount), taskText(facts), deadlineText(facts)),
    tone: 'incoming',
    next: [words.back, words.clock, words.withdraw, words.silence],
    mustConfirm: null,
    worstCase: ACTION_WORDS.worst.claim_non_delivery,
    amount,
    settles: words.settles(usdcText(amount)),
  };
}

function disputeNode(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.dispute_node;
  const evidence = message.bytes32('evidenceHash');
  const floor = amountOf(facts.floor);
  const lapse = floor === 0n ? words.lapseToNothing : words.lapse(floorText(floor));
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'dispute',
    next: [words.ruling, lapse, ...(ZERO_HASH.test(evidence) ? [] : [words.evidence(evidence)]), words.silence],
    mustConfirm: null,
    // Only where there is an arbiter can a rejection be contested.
    worstCase: workersWorstCase(floor, true, hangsOnParent(message, facts)),
    settles: words.stays(heldText(facts)),
  };
}

/** Whether the worker is paid only when a job above is accepted, too; null when that is not known. */
function hangsOnParent(message: MessageReader, facts: DescriptionFacts): boolean | null {
  return pathLevel(message.uint('nodeId')) === 1 ? false : (facts.hangsOnParent ?? null);
}

function rejectersWorstCase({ hasArbiter, floor }: DescriptionFacts, isFinal: boolean): string {
  const { finalRejection, rejection, rejectionUnknown, contested } = ACTION_WORDS.worst;
  if (isFinal) return finalRejection;
  if (hasArbiter === undefined) return rejectionUnknown;
  return hasArbiter ? contested(floorText(amountOf(floor))) : rejection;
}
