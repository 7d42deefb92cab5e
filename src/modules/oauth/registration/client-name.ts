import { hidesText } from '#libs/kernel';

const MAX_CHARACTERS = 80;

/**
 * What an application calls itself, as it may be shown: one line. Null when nothing is left, with more than 80 characters,
 * and with characters that nobody sees or that turn the order of what is read.
 */
export function readableName(name: string): string | null {
  const readable = name.replace(/[^\S\ufeff\u2028\u2029]+/gu, ' ').trim();
  const isShort = readable.length <= 2 * MAX_CHARACTERS && Array.from(readable).length <= MAX_CHARACTERS;
  return readable === '' || !isShort || hidesText(readable) ? null : readable;
}
