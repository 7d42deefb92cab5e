import type { ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import {
  agentText,
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

/** The kinds by which work on a node goes on or ends. */
export type NodeWorkKind = Extract<
  ActionKind,
  'deliver' | 'resolve_task' | 'reject_task' | 'abandon_node' | 'claim_non_delivery' | 'dispute_node'
>;

const ZERO_HASH = /^0x0{64}$/;

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
  const next = [
    words.artifact(message.bytes32('artifactHash')),
    words.review(windowText(facts)),
    words.silence,
    words.rejected(deadlineText(facts)),
  ];
  if (facts.hasArbiter === true) next.push(words.contest);
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'commitment',
    next,
    mustConfirm: null,
    settles: words.stays(heldText(facts)),
  };
}

function resolveTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.resolve_task;
  const amount = message.uint('amount');
  const price = usdcText(amount);
  const agent = agentText(facts, message.address('worker'));
  const promised = promisedOf(facts);
  const { hangsOnParent } = facts;
  return {
    sentence: words.sentence(taskText(facts), price, agent),
    tone: 'irreversible',
    next: [
      words.artifact(message.bytes32('artifactHash')),
      ...(hangsOnParent === undefined ? [] : [(hangsOnParent ? words.waits : words.payable)(capital(agent))]),
      ...(promised === null ? [] : [words.shares(usdcText(promised))]),
      ACTION_WORDS.reject_task.reputation,
      words.silence,
    ],
    mustConfirm: words.confirm,
    amount,
    settles: words.settles(price, agent),
  };
}

function rejectTask(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.reject_task;
  const { rejectionReason: reason, hasArbiter } = facts;
  const next = ZERO_HASH.test(message.bytes32('reasonHash'))
    ? [words.silent]
    : reason === undefined
      ? []
      : [words.told(quoted(reason))];
  next.push(words.mend(deadlineText(facts)));
  if (hasArbiter === true) next.push(words.contest);
  next.push(words.back, words.reputation, words.silence);
  return {
    sentence: words.sentence(taskText(facts), moneyText(facts)),
    tone: 'dispute',
    next,
    mustConfirm: null,
    settles: words.stays(heldText(facts)),
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
      words.nothing,
      words.another,
      ...(subcontracts > 0 ? [words.others(subcontracts)] : []),
      words.silence(deadlineText(facts)),
    ],
    mustConfirm: words.confirm,
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
    amount,
    settles: words.settles(usdcText(amount)),
  };
}

function disputeNode(message: MessageReader, facts: DescriptionFacts): Description {
  const words = ACTION_WORDS.dispute_node;
  const evidence = message.bytes32('evidenceHash');
  return {
    sentence: words.sentence(taskText(facts)),
    tone: 'dispute',
    next: [words.ruling, words.lapse, ...(ZERO_HASH.test(evidence) ? [] : [words.evidence(evidence)]), words.silence],
    mustConfirm: null,
    settles: words.stays(heldText(facts)),
  };
}
