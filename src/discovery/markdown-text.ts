import { oneLine } from '../platform/pages/one-line.js';

/** A text that an operator chose, as one line of Markdown that is nothing but this text. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|~!&]/g, '\\$&');
}
