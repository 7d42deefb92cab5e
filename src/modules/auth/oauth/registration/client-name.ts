import { stripControls } from '#libs/kernel';

const MAX_CHARACTERS = 80;
/** Halves of a pair: no text, and nothing that could be kept. */
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * What an application calls itself, as it may be shown: one line without characters that nobody sees or that turn the
 * order of what is read. Null when nothing is left, or more than 80 characters.
 */
export function readableName(name: string): string | null {
  const readable = stripControls(name.replace(LONE_SURROGATES, '').replace(/\s+/gu, ' ')).trim();
  const { length } = Array.from(readable);
  return length === 0 || length > MAX_CHARACTERS ? null : readable;
}
