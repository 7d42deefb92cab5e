import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../../platform/pages/assets/test-wallet-scripts.js';
import { FormTokens } from '../../../platform/pages/form-tokens.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { limitTexts, NO_TYPED_LIMITS } from '../../credentials/spending/spend-limit-fields.js';
import { limitsOfCap, type SpendLimits } from '../../credentials/spending/spend-limits.js';
import { SpendPolicies } from '../../credentials/spending/spend-policies.js';
import type { BrowserSessionEntity } from '../../accounts/browser-session.entity.js';
import { OAuthGrants } from '../storage/oauth-grants.js';
import type { ConsentChoice } from './consent.body.js';
import { consentPage } from './consent-page.js';
import type { Visit } from './interactions.js';
import { signInPage } from './sign-in-page.js';
import type { WalletDraft } from './wallet-form.js';

/** The form's answer redirects to the application, so the content security policy must not limit forms to this site. */
const PAGE_OPTIONS = { leavesSite: true };

/** Sends the two pages of an interaction. */
@Injectable()
export class InteractionPages {
  constructor(
    private readonly environment: Environment,
    private readonly accounts: AccountsService,
    private readonly tokens: FormTokens,
    private readonly policies: SpendPolicies,
    private readonly grants: OAuthGrants,
  ) {}

  /** Sends the sign-in page, with the result of the last attempt in `draft`. */
  sendSignIn(visit: Visit, draft: WalletDraft = {}, status = 200): void {
    const { displayName, baseUrl, chainId } = this.environment;
    const { pending, binding, session, isFresh, base, response } = visit;
    const formToken = this.tokens.issue(binding, signInForm(pending.uid));
    const html = signInPage({
      displayName,
      baseUrl,
      client: pending.client,
      wallet: { base, submit: 'sign-in', formToken, chainId, ...draft },
      signedInAs: session === null || !isFresh || pending.mustSignInAgain ? null : session.walletAddress,
      walletScripts: testWalletScripts(this.environment),
    });
    sendWebPage(response, status, html, PAGE_OPTIONS);
  }

  /** Sends the consent page, with the person's `choice` if given. @param session of the account that consents. */
  async sendConsent(visit: Visit, session: BrowserSessionEntity, choice?: ConsentChoice, status = 200): Promise<void> {
    const { displayName, baseUrl } = this.environment;
    const { pending, binding, base, response } = visit;
    const { name, walletAddress } = await this.accounts.find(session.accountId);
    const earlier = await this.earlierLimits(session.accountId, pending.client.id);
    const filledIn = earlier === null ? NO_TYPED_LIMITS : limitTexts(earlier);
    const html = consentPage({
      displayName,
      baseUrl,
      base,
      client: pending.client,
      account: { name, walletAddress: walletAddress ?? session.walletAddress },
      scopes: pending.scopes,
      chosen: choice?.scopes ?? pending.scopes,
      limits: choice?.limitTexts ?? filledIn,
      earlier,
      grantDays: pending.grantDays,
      formToken: this.tokens.issue(binding, consentForm(pending.uid, session.accountId)),
      cancelToken: this.tokens.issue(binding, signInForm(pending.uid)),
      problem: choice?.problem,
    });
    sendWebPage(response, status, html, PAGE_OPTIONS);
  }

  /** What limits an application now; null: nothing does. */
  private async earlierLimits(accountId: string, clientId: string): Promise<SpendLimits | null> {
    const policy = await this.policies.ofApp(accountId, clientId);
    if (policy !== null) return policy;
    const cap = await this.grants.capOf(accountId, clientId);
    return cap === null ? null : limitsOfCap(cap);
  }
}

/** Name of the sign-in and cancel forms for FormTokens. */
export function signInForm(uid: string): string {
  return `interaction:${uid}`;
}

/**
 * Name of the consent form for FormTokens. It contains the account, so that a page shown to another account cannot be
 * used.
 */
export function consentForm(uid: string, accountId: string): string {
  return `interaction:${uid}:consent:${accountId}`;
}
