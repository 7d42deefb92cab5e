import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { BrowserSessionEntity } from '../../accounts/browser-session.entity.js';
import { browserWords } from './browser-copy.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { instant } from '../page-parts/utc-instant.js';
import { postButton } from '../page-parts/post-button.js';

/** The browsers in which a person is signed in. @param currentId the session of the browser that opens this page. */
export function sessionsPage(
  frame: AccountFrame,
  sessions: readonly BrowserSessionEntity[],
  currentId: string,
): string {
  const others = sessions.some(({ id }) => id !== currentId)
    ? postButton(frame, { path: '/account/sessions/end-others', text: 'End all other sessions', isFinal: true })
    : markup`<p>You are not signed in anywhere else.</p>\n`;
  const body = markup`<p class="lead">Browsers in which you are signed in. A session ends after eight hours.</p>
${sessions.map((session, index) => sessionCard(frame, session, { index, isCurrent: session.id === currentId }))}${others}`;
  return accountPage(frame, { path: '/account/sessions', title: 'Sessions', body });
}

function sessionCard(
  frame: AccountFrame,
  session: BrowserSessionEntity,
  { index, isCurrent }: { index: number; isCurrent: boolean },
): SafeHtml {
  const browser = browserWords(session.userAgent);
  const end = {
    path: `/account/sessions/${session.id}/end`,
    text: 'End this session',
    about: isCurrent ? 'this browser' : browser,
    isFinal: true,
  };
  return markup`<section class="card" aria-labelledby="session-${index}">
<h2 id="session-${index}"><bdi>${browser}</bdi>${isCurrent ? markup` <span class="tag">this browser</span>` : markup``}</h2>
<dl class="facts">
<dt>Signed in</dt><dd>${instant(session.createdAt)}</dd>
<dt>Last seen</dt><dd>${instant(session.lastSeenAt)}</dd>
<dt>Ends</dt><dd>${instant(session.expiresAt)}</dd>
<dt>Wallet</dt><dd>${addressText(session.walletAddress)}</dd>
</dl>
${postButton(frame, end)}</section>
`;
}
