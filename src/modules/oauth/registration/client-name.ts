import { hidesText } from '#libs/kernel';

const MAX_CHARACTERS = 80;

/**
 * The name of an application as one line. Null when it is empty, longer than 80 characters, or contains invisible
 * characters or such that change the reading direction.
 */
export function readableName(name: string): string | null {
  const readable = name.replace(/[^\S\ufeff\u2028\u2029]+/gu, ' ').trim();
  const isShort = readable.length <= 2 * MAX_CHARACTERS && Array.from(readable).length <= MAX_CHARACTERS;
  return readable === '' || !isShort || hidesText(readable) ? null : readable;
}
