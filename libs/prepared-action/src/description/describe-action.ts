import { isActionKind, type ActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import { describeHiring, isHiringKind } from './describe-hiring.js';
import { taskText } from './described-facts.js';
import { describeNodeWork } from './describe-node-work.js';
import { MessageReader } from './message-reader.js';
import type { Description, DescriptionFacts, PreparedAction } from '../document/prepared-action.js';
import { usdcText } from '../document/shown-text.js';

/**
 * What signing an action does, in a sentence made of the typed data, and what happens next, also if nobody acts
 * (docs/decisions/interface.md#sentences). Other people's words are quoted. Null for a kind that is not known here and
 * for an action that cannot be read: neither is ever signable. Never throws.
 */
export function describeAction(action: PreparedAction, facts: DescriptionFacts): Description | null {
  try {
    const { kind } = action;
    return isActionKind(kind) ? describe(kind, MessageReader.of(action), facts) : null;
  } catch {
    return null;
  }
}

function describe(kind: ActionKind, message: MessageReader, facts: DescriptionFacts): Description {
  if (isHiringKind(kind)) return describeHiring(kind, message, facts);
  const { earned, earnedOn, returned, leftOf } = ACTION_WORDS.withdraw;
  if (kind === 'withdraw_earnings') return withdrawal(message, earned, earnedOn(taskText(facts)));
  if (kind === 'withdraw_refund') return withdrawal(message, returned, leftOf(taskText(facts)));
  return describeNodeWork(kind, message, facts);
}

function withdrawal(message: MessageReader, origin: string, source: string): Description {
  const words = ACTION_WORDS.withdraw;
  const amount = message.uint('amount');
  const recipient = message.address('recipient');
  const isOwn = message.isWallet(recipient);
  const sentence = isOwn
    ? words.toOwn(usdcText(amount), source, recipient)
    : words.toOther(usdcText(amount), source, recipient);
  return {
    sentence,
    tone: 'incoming',
    next: [origin, words.final, words.silence],
    mustConfirm: isOwn ? null : words.confirm(recipient),
    worstCase: isOwn ? ACTION_WORDS.worst.toOwn : ACTION_WORDS.worst.toOther,
    amount,
  };
}
