import type { Environment } from '../platform/config/environment.js';
import { markup } from '../platform/http/html-markup.js';
import { MCP_PATH } from '../modules/mcp/serving/mcp-entrance.js';
import { publicPath } from '../platform/pages/assets/public-path.js';
import { oneLine } from '../platform/pages/one-line.js';
import { webPage } from '../platform/pages/page-shell.js';
import { DISCOVERY_PATHS } from './discovery-paths.js';

/**
 * What a person sees who opens the base URL: what this is, and where to go.
 * @param description of the document; its first sentence is for people.
 */
export function frontPage({ baseUrl, displayName }: Environment, description: string): string {
  const link = (path: string, text: string) => markup`<a href="${publicPath(baseUrl, path)}">${text}</a>`;
  const shown = oneLine(displayName);
  const [sentence = ''] = description.split(/(?<=\.)\s/);
  const body = markup`<h1>${shown}</h1>
<p>${sentence} The service holds no key and moves no money: your own wallet signs.</p>
<ul>
<li>${link('/account', 'Your account')}: sign in with a wallet. Keys, connected applications, webhooks and receipts.</li>
<li>${link('/docs', 'API reference')}: every operation, to read and to try out.</li>
<li>${link(DISCOVERY_PATHS.skill, 'Skill for agents')} and ${link(DISCOVERY_PATHS.llms, 'llms.txt')}: what a program reads first.</li>
<li>Assistants connect to <code>${baseUrl + MCP_PATH}</code>.</li>
</ul>`;
  return webPage({ displayName: shown, baseUrl, title: 'Start', body, isIndexed: true });
}
