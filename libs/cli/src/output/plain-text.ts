import { markedLine } from '#libs/notation';

/** Text of anybody as one line of a terminal: nothing in it moves the cursor, changes a colour or hides. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return markedLine(typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`);
}

/** As JSON, with what a terminal could act on, or not show, as escapes. `\u009b` opens a sequence as `ESC [` does. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
