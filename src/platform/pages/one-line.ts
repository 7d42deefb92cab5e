import { markedLine, stripControls } from '#libs/kernel';

const MAX_CHARACTERS = 80;

/**
 * Text of somebody else as one line that can only be read as what it is: controls and hidden characters as their numbers,
 * blanks made one, at most 80 characters. Empty when nothing is left.
 */
export function oneLine(text: string): string {
  // Far more than is shown, and little enough that a text of megabytes costs nothing.
  const line = markedLine(text.slice(0, MAX_CHARACTERS * 16));
  const characters = Array.from(line);
  if (characters.length <= MAX_CHARACTERS) return line;
  // The cut may have left a joiner without what it joins.
  return `${stripControls(characters.slice(0, MAX_CHARACTERS - 1).join(''))}…`;
}
