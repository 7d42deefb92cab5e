import { type ActionKind, isActionKind } from '../typed-data/action-kinds.js';
import { ACTION_WORDS } from './action-sentences.js';
import { HIRING_KINDS } from './describe-hiring.js';
import { NODE_WORK_KINDS } from './describe-node-work.js';
import type { Described, Describer } from './described.js';
import { taskText } from './described-facts.js';
import { MessageReader } from './message-reader.js';
import type { Description, DescriptionFacts, PreparedAction } from '../document/prepared-action.js';
import { usdcText } from '../document/shown-text.js';

const { earned, earnedOn, returned, leftOf } = ACTION_WORDS.withdraw;
const DESCRIBERS: Readonly<Record<ActionKind, Describer>> = {
  ...HIRING_KINDS,
  ...NODE_WORK_KINDS,
  withdraw_earnings: (message, facts) => withdrawal(message, earned, earnedOn(taskText(facts))),
  withdraw_refund: (message, facts) => withdrawal(message, returned, leftOf(taskText(facts))),
};

/**
 * What signing an action does, in a sentence made of the typed data, and what happens next, also if nobody acts
 * (docs/decisions/interface.md#sentences). Other people's words are quoted. Null for a kind that is not known here and
 * for an action that cannot be read: neither is ever signable. Never throws.
 */
export function describeAction(action: PreparedAction, facts: DescriptionFacts): Description | null {
  try {
    const { kind } = action;
    if (!isActionKind(kind)) return null;
    const described = DESCRIBERS[kind](MessageReader.of(action), facts);
    return { mustConfirm: null, ...described, worstCase: `Worst case for you: ${described.worstCase}` };
  } catch {
    return null;
  }
}

function withdrawal(message: MessageReader, origin: string, source: string): Described {
  const words = ACTION_WORDS.withdraw;
  const amount = usdcText(message.uint('amount'));
  const recipient = message.address('recipient');
  const isOwn = message.isWallet(recipient);
  return {
    sentence: (isOwn ? words.toOwn : words.toOther)(amount, source, recipient),
    tone: 'incoming',
    next: [origin, words.final, words.silence],
    ...(isOwn ? {} : { mustConfirm: words.confirm(recipient) }),
    worstCase: isOwn ? ACTION_WORDS.worst.toOwn : ACTION_WORDS.worst.toOther,
  };
}
