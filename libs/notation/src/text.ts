/**
 * Controls other than line feed and tab; line and paragraph separators; marks, embeddings, overrides and isolates of
 * text direction; characters without width, with the tag and supplementary-variation ranges that can smuggle hidden
 * text past a human reader.
 */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The text without characters that a reader cannot see or that turn the order of what is read; keeps `\n` and `\t`. */
export function stripControls(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Joiners between two characters of a script or of an emoji: Persian and Indic words and joined emoji need them. */
const JOINERS_IN_WORDS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** True when the text holds what `stripControls` takes out, joiners inside words and emoji apart. */
export function hidesText(text: string): boolean {
  const plain = text.replace(JOINERS_IN_WORDS, '');
  return stripControls(plain) !== plain;
}
