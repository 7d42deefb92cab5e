import { stripControls } from '#libs/kernel';
import { isObject } from '../operations/json-value.js';

/**
 * Members of answers that hold what other people wrote, wherever they stand. A test compares them with every text of the
 * answers that has no closed form.
 */
export const UNTRUSTED_MEMBERS: ReadonlySet<string> = new Set([
  'agent_card_url',
  'brief',
  'capabilities',
  'criteria',
  'description',
  'media_type',
  'name',
  'reason',
  'rejection_reason',
  'suspension_reason',
  'title',
]);

/** Members that a tool never shows: what a wallet signs belongs on the approval page, not into a conversation. */
const WITHHELD: ReadonlySet<string> = new Set(['payload', 'transaction']);

/**
 * An answer as a model may read it. Texts of other people become `{"untrusted_text": …}` without characters that hide
 * text, so that a client can tell them from what the service says; what a wallet signs is left out.
 */
export function forModel(value: unknown): unknown {
  if (typeof value === 'string') return stripControls(value);
  if (Array.isArray(value)) return value.map(forModel);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !WITHHELD.has(name))
      .map(([name, member]) => {
        const isText = typeof member === 'string' || (Array.isArray(member) && member.length > 0);
        const plain = forModel(member);
        return [name, isText && UNTRUSTED_MEMBERS.has(name) ? { untrusted_text: plain } : plain];
      }),
  );
}
