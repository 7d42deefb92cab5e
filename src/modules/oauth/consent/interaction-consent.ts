import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { readForm } from '../../../platform/pages/form-body.js';
import { FormTokens } from '../../../platform/pages/form-tokens.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { OAuthServer } from '../server/oauth-server.js';
import type { BrowserSessionEntity } from '../../accounts/browser-session.entity.js';
import { readConsent } from './consent.body.js';
import { consentForm, InteractionPages, signInForm } from './interaction-pages.js';
import { Interactions, type Visit } from './interactions.js';

/** Carries out a person's decision about an application, and records every refused or cancelled one. */
@Injectable()
export class InteractionConsent {
  constructor(
    private readonly environment: Environment,
    private readonly interactions: Interactions,
    private readonly tokens: FormTokens,
    private readonly oauth: OAuthServer,
    private readonly pages: InteractionPages,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Allows what the form says, or shows the form again with the problem.
   * @throws ApiError when the form comes from another browser, site, account or page, or names a scope that was not
   *   requested.
   */
  async allow(uid: string, request: Request, response: Response): Promise<void> {
    const visit = await this.recorded(request, null, () => this.interactions.visit(uid, request, response));
    await this.recorded(request, visit, () => this.take(visit));
  }

  /** Sends the person back to the application without any access. */
  async cancel(visit: Visit): Promise<void> {
    const { request, response, pending, binding } = visit;
    const form = await readForm(request, response, this.environment.baseUrl);
    this.tokens.check(binding, signInForm(pending.uid), form.get('form_token'));
    await this.record(request, visit, 'The person cancelled.');
    await this.oauth.cancel(request, response);
  }

  private async take(visit: Visit): Promise<void> {
    const { request, response, pending, binding } = visit;
    const form = await readForm(request, response, this.environment.baseUrl);
    const session = askedSession(visit);
    this.tokens.check(binding, consentForm(pending.uid, session.accountId), form.get('form_token'));
    if (!visit.isFresh) {
      const text = 'Your wallet signed more than ten minutes ago. Sign once more, then allow the application.';
      await this.record(request, visit, text);
      this.pages.sendSignIn(visit, { problem: { field: 'signature', text } }, 409);
      return;
    }
    const choice = readConsent(form, pending.scopes);
    if (choice.problem) {
      await this.pages.sendConsent(visit, session, choice, 400);
      return;
    }
    const { scopes, limits } = choice;
    await this.oauth.finishConsent(request, response, { scopes, limits });
  }

  private async recorded<T>(request: Request, visit: Visit | null, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      // A fault of the service is not recorded as a refusal; the person can send the form again.
      if (error instanceof ApiError && error.status < 500) await this.record(request, visit, error.reason);
      throw error;
    }
  }

  private async record(request: Request, visit: Visit | null, reason: string): Promise<void> {
    await this.audit.record({
      event: 'consent_refused',
      requestId: request.context.requestId,
      accountId: visit?.session?.accountId ?? null,
      clientId: visit?.pending.client.id ?? null,
      network: clientNetwork(request.ip),
      detail: { reason },
    });
  }
}

/** The session of the account that the consent page named. Throws ApiError when it is no longer signed in. */
function askedSession({ pending, session }: Visit): BrowserSessionEntity {
  if (session !== null && pending.prompt === 'consent' && session.accountId === pending.accountId) return session;
  throw new ApiError(
    'state_conflict',
    'Nothing was allowed: this browser is not signed in any more with the account that the page named.',
    'Go back and reload the page; it then asks in the name of the account that is signed in.',
  );
}
