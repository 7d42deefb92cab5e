import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OAuthServer } from '../server/oauth-server.js';
import { InteractionPages } from './interaction-pages.js';
import type { Visit } from './interactions.js';
import { nextStep } from './next-step.js';

/** Decides what a person who comes from an application sees first. */
@Injectable()
export class InteractionRouter {
  constructor(
    private readonly oauth: OAuthServer,
    private readonly pages: InteractionPages,
  ) {}

  /** Sends a page, or goes on at once for who is signed in already. */
  async open(visit: Visit): Promise<void> {
    const { request, response, session } = visit;
    const step = nextStep(visit, wantsOtherWallet(request));
    if (step === 'sign_in' || session === null) this.pages.sendSignIn(visit);
    else if (step === 'consent') await this.pages.sendConsent(visit, session);
    else await this.oauth.finishSignIn(request, response, session.accountId);
  }
}

/** The link "Use a different wallet" of the consent page. */
function wantsOtherWallet({ query }: Request): boolean {
  return query.wallet === 'other';
}
