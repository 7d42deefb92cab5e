/**
 * Controls other than line feed and tab; line and paragraph separators; all that Unicode lets a font leave out: marks,
 * embeddings, overrides and isolates of text direction, joiners, fillers, tags, selectors of variants; signs of layout;
 * what is no character; and letters and signs that look like a blank.
 */
const UNSEEN =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Surrogate}' +
  '\\p{Noncharacter_Code_Point}\\u2800\\ufff9-\\ufffc\\u{13430}-\\u{13440}\\u{16fe4}\\u{1d159}]';
export const ANY_UNSEEN = new RegExp(UNSEEN, 'u');
export const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');

/** A character as its code point, such as `\\u{202e}`. */
export function codePointText(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** The text with line breaks and runs of blanks as one blank each. */
export function oneLine(text: string): string {
  // `\s` includes the byte order mark, which must be marked as an invisible character and not become a blank.
  return text.replace(/[^\S\ufeff]+/gu, ' ');
}

/**
 * The text as one line with every invisible character as its code point, also one that joins its neighbours: for values
 * that are no prose, such as addresses. Prose is shown by `markedLine`.
 */
export function markUnseen(text: string): string {
  return oneLine(text).replace(EACH_UNSEEN, codePointText).trim();
}
