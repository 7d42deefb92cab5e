import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';

/** An application as a page names it. The application chose all of these texts. */
export interface NamedClient {
  name: string;
  /** Host of the application's metadata document; null = it has none. */
  host: string | null;
  /** True: the application is a page of this service. */
  isOwn?: boolean;
}

/** The name as one isolated line, which cannot change the direction of the surrounding text. */
export function clientName({ name }: NamedClient): SafeHtml {
  const line = oneLine(name);
  return line === '' ? markup`An application without a name` : markup`<bdi>${line}</bdi>`;
}

/** Says what is known about the origin of an application. The host of its document does not prove its name. */
export function clientStanding({ host, isOwn }: NamedClient): SafeHtml {
  if (isOwn) return markup`<span class="tag">part of this service</span>`;
  if (host === null) return markup`<span class="tag warn">unverified name</span>`;
  return markup`<span class="tag">its document is at <bdi>${oneLine(host)}</bdi></span>`;
}
