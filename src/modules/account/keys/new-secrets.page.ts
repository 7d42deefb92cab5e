import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { type Scope, SCOPES } from '../../credentials/scope.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';

/** Keys that were made just now. */
export interface NewSecrets {
  kind: 'set' | 'one' | 'rolled';
  name: string;
  secrets: Partial<Record<Scope, string>>;
  /** For a rolled key: hours for which the previous key still works. */
  overlapHours?: number;
}

const TITLES = { set: 'Your new keys', one: 'Your new key', rolled: 'Your replacement key' } as const;

/** Shows the secrets of new keys, once, as lines for a `.env` file. */
export function newSecretsPage(frame: AccountFrame, made: NewSecrets): string {
  const lines = SCOPES.flatMap((scope) => {
    const secret = made.secrets[scope];
    return secret === undefined ? [] : [`${variableOf(scope)}=${secret}`];
  });
  const title = TITLES[made.kind];
  const body = markup`<div class="notice warn" role="alert">
<p><strong>Copy this now. We show it once and cannot show it again.</strong></p>
</div>
<p>Name: <bdi>${oneLine(made.name)}</bdi>. Put the keys where your program reads its environment, for example in a
<code>.env</code> file outside your repository.</p>
${takeOver(made)}<div class="field">
<label for="secrets">Lines for <code>.env</code></label>
<textarea class="mono" id="secrets" readonly rows="${lines.length * 2}" autocomplete="off" autocapitalize="none"
spellcheck="false" translate="no">${lines.join('\n')}</textarea>
</div>
<p><a class="button" href="${publicPath(frame.baseUrl, '/account/keys')}">I have copied it</a></p>
`;
  return accountPage(frame, { path: '/account/keys', title, body });
}

/** `TASKTREE_AGENT_OWNER_KEY` for `agent-owner`. */
function variableOf(scope: Scope): string {
  return `TASKTREE_${scope.toUpperCase().replace('-', '_')}_KEY`;
}

function takeOver({ overlapHours }: NewSecrets): SafeHtml {
  if (overlapHours === undefined) return markup``;
  if (overlapHours === 0) return markup`<p>The previous key has stopped working.</p>\n`;
  const hours = overlapHours === 1 ? 'one hour' : `${overlapHours} hours`;
  return markup`<p>The previous key works for ${hours} more, unless it expires earlier.</p>\n`;
}
