import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { interactionPolicy } from '../protocol/oidc-provider.js';
import { reachable } from '../protocol/oauth-fault.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';

/** Reason for a sign-in prompt: this service's own browser session has ended or belongs to another account. */
export const NO_BROWSER_SESSION = 'browser_session';

/**
 * Decides when a person is prompted. Only this service's own browser session says who is signed in; when it has ended
 * or belongs to another account, the library's session is ignored. Consent is requested every time, because no earlier
 * grant is ever loaded (see `loadExistingGrant`).
 */
@Injectable()
export class InteractionPolicy {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
    private readonly requests: OAuthRequests,
  ) {}

  /** The prompts for the library's configuration. */
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
