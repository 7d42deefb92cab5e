import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OAuthServer } from '../server/oauth-server.js';
import { InteractionPages } from './interaction-pages.js';
import type { Visit } from './interactions.js';
import { nextStep } from './next-step.js';

/** Decides which page a person sees first who comes from an application. */
@Injectable()
export class InteractionRouter {
  constructor(
    private readonly oauth: OAuthServer,
    private readonly pages: InteractionPages,
  ) {}

  /** Sends a page, or continues at once when the person is already signed in. */
  async open(visit: Visit): Promise<void> {
    const { request, response, session } = visit;
    const step = nextStep(visit, wantsOtherWallet(request));
    if (step === 'sign_in' || session === null) this.pages.sendSignIn(visit);
    else if (step === 'consent') await this.pages.sendConsent(visit, session);
    else await this.oauth.finishSignIn(request, response, session.accountId);
  }
}

/** True when the person followed "Use a different wallet" on the consent page. */
function wantsOtherWallet({ query }: Request): boolean {
  return query.wallet === 'other';
}
