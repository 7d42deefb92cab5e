import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { interactionPolicy } from '../protocol/oidc-provider.js';
import { reachable } from '../protocol/oauth-fault.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';

/** Why the library asks for a sign-in when our own session of the browser is the reason. */
export const NO_BROWSER_SESSION = 'browser_session';

/**
 * When a person is asked. Who is signed in is said by our own session of the browser alone: where that has ended, or is
 * another account's, the library's session counts for nothing. Consent is asked for every time, because no earlier grant
 * is ever loaded (see `loadExistingGrant`).
 */
@Injectable()
export class InteractionPolicy {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
    private readonly requests: OAuthRequests,
  ) {}

  /** For the library's configuration. */
  prompts(): interactionPolicy.DefaultPolicy {
    const policy = interactionPolicy.base();
    policy
      .get('login')
      ?.checks.add(
        new interactionPolicy.Check(
          NO_BROWSER_SESSION,
          'End-User authentication is required',
          'login_required',
          async (context) => !(await this.isSignedIn(context)),
        ),
      );
    return policy;
  }

  private async isSignedIn({ oidc }: KoaContextWithOIDC): Promise<boolean> {
    const request = this.requests.current?.request;
    if (!request) return false;
    const token = this.cookies.readSession(request);
    const session = await reachable(() => this.requests.within(() => this.sessions.find(token)));
    return session !== null && session.accountId === oidc.session?.accountId;
  }
}
