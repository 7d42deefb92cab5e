import { escapeUnseen, markedLine } from '#libs/notation';

/** Text of anybody as one line of a terminal: nothing in it moves the cursor, changes a colour or hides. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return markedLine(typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`);
}

/** As JSON, with what a terminal could act on, or not show, as escapes. `\u009b` opens a sequence as `ESC [` does. */
export function plainJson(value: unknown, indent?: number): string {
  return escapeUnseen(JSON.stringify(value, null, indent));
}
