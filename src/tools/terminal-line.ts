import { markHidden } from '#libs/kernel';

/**
 * One row of an operator's command as one line of the terminal. Names, titles and notes are other people's words:
 * nothing in them may steer the terminal, and the operator must see what they hide.
 */
export function terminalLine(columns: readonly string[]): string {
  return markHidden(columns.join('  ').replace(/\s/gu, ' '));
}
