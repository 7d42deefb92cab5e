import { document as sampled } from './sample.js';

const LONG = 'Überlandwerk Documentation Assistant, Intellectual Property Edition';

/**
 * The elements that the server renders for a request and the page keeps.
 * @param isLong true: with the longest names that are accepted.
 */
export function keptParts(isLong: boolean): { asked: Element; compare: Element } {
  const asked = element('p', `${isLong ? LONG : 'Claude'} `);
  asked.className = 'small';
  asked.dataset['kept'] = 'asked';
  const tag = element(
    'span',
    `its document is at ${isLong ? 'documentation-assistant.ueberlandwerk' : 'claude'}.example`,
  );
  tag.className = 'tag';
  const warning = element('span', 'unverified name');
  warning.className = 'tag warn';
  asked.append(tag, ' ', warning, ' asked on 24 Nov 2026, 11:57 UTC. You can sign until 24 Nov 2026, 12:11 UTC.');
  const compare = element('details', '');
  compare.dataset['kept'] = 'compare';
  const data = element('pre', JSON.stringify(sampled.action.payload['message'], null, 2));
  data.tabIndex = 0;
  compare.append(element('summary', 'Compare with your wallet'), data);
  return { asked, compare };
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
