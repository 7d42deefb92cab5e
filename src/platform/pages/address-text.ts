import { markup, type SafeHtml } from '../http/html-markup.js';

/** A whole address in groups of four, to compare by eye; nothing is shortened, and it copies as one word. */
export function addressText(address: string): SafeHtml {
  const groups = address.match(/^0x[0-9a-fA-F]{1,4}|[\s\S]{1,4}/g) ?? [];
  return markup`<code class="address" translate="no">${groups.map((group) => markup`<span>${group}</span>`)}</code>`;
}
