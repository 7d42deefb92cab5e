import type { EntityManager } from 'typeorm';
import { CANCELLED_BEFORE } from './cancelled-nonces.sql.js';
import type { TaskFact } from './collect-facts.js';

interface Word {
  readonly taskId: string;
  readonly signer: string;
  readonly word: string;
  mask: bigint;
}

/**
 * For each of these new facts, in chain order, all nonces of its word that its signer has cancelled by then, as a mask;
 * null for what cancels none. Anybody may cancel anything in any tree, and the same again for next to nothing: with this
 * the newest fact of a word says what all of them say.
 */
export async function cancelledMasks(
  manager: EntityManager,
  facts: readonly TaskFact[],
): Promise<readonly (bigint | null)[]> {
  const words = new Map<string, Word>();
  const wordOf = ({ taskId, fact }: TaskFact): Word | null => {
    if (fact.type !== 'NoncesInvalidated') return null;
    const key = `${taskId} ${fact.signer} ${fact.word}`;
    const known = words.get(key) ?? { taskId, signer: fact.signer, word: fact.word.toString(), mask: 0n };
    words.set(key, known);
    return known;
  };
  const own = facts.map(wordOf);
  if (words.size === 0) return own.map(() => null);
  const asked = [...words.values()];
  const rows = await manager.query<{ place: number; mask: string }[]>(CANCELLED_BEFORE, [
    asked.map(({ taskId }) => taskId),
    asked.map(({ signer }) => signer),
    asked.map(({ word }) => word),
  ]);
  for (const { place, mask } of rows) {
    const word = asked[place];
    if (word) word.mask = BigInt(mask);
  }
  return facts.map(({ fact }, place) => {
    const word = own[place];
    return fact.type === 'NoncesInvalidated' && word ? (word.mask |= fact.mask) : null;
  });
}
