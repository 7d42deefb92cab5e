import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { oneLine } from '../../../platform/pages/one-line.js';

/** An application as it is told of on a page; all of its text is its own. */
export interface NamedClient {
  name: string;
  /** Host where its metadata document lies; null = it has none. */
  host: string | null;
  /** True: it is a page of this service. */
  isOwn?: boolean;
}

/** The name alone, as one line that cannot turn the text around it. */
export function clientName({ name }: NamedClient): SafeHtml {
  const line = oneLine(name);
  return line === '' ? markup`An application without a name` : markup`<bdi>${line}</bdi>`;
}

/** What is known of where the application comes from, in words: where its document lies proves no name. */
export function clientStanding({ host, isOwn }: NamedClient): SafeHtml {
  if (isOwn) return markup`<span class="tag">part of this service</span>`;
  if (host === null) return markup`<span class="tag warn">unverified name</span>`;
  return markup`<span class="tag">its document is at <bdi>${oneLine(host)}</bdi></span>`;
}
