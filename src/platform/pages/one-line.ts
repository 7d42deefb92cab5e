import { markedLine, stripControls } from '#libs/kernel';

const MAX_CHARACTERS = 80;

/**
 * Text of somebody else as one line of at most 80 characters that hides nothing: controls and hidden characters are
 * shown as their code points, and each run of blanks as one blank. Empty when nothing is left.
 */
export function oneLine(text: string): string {
  // Cut to far more characters than are shown, so that cleaning a text of megabytes takes no longer.
  const line = markedLine(text.slice(0, MAX_CHARACTERS * 16));
  const characters = Array.from(line);
  if (characters.length <= MAX_CHARACTERS) return line;
  // The cut may have left a joiner without what it joins.
  return `${stripControls(characters.slice(0, MAX_CHARACTERS - 1).join(''))}…`;
}
