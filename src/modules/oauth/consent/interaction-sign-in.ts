import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { fieldOf, readForm } from '../../../platform/pages/form-body.js';
import { FormTokens } from '../../../platform/pages/form-tokens.js';
import { prefersJson } from '../../../platform/pages/web-error.filter.js';
import { OAuthServer } from '../server/oauth-server.js';
import { sendChallenge } from '../../sign-in/challenge-answer.js';
import { type ChallengeUse, WalletChallenges } from '../../sign-in/wallet-challenges.js';
import { WalletSessions } from '../../sign-in/wallet-sessions.js';
import { InteractionPages, signInForm } from './interaction-pages.js';
import type { Visit } from './interactions.js';

/** Longest address text that is read and shown again, in characters. */
const LONGEST_ADDRESS = 64;

/** The two steps of a sign-in: a message to sign, and its signature. */
@Injectable()
export class InteractionSignIn {
  constructor(
    private readonly environment: Environment,
    private readonly tokens: FormTokens,
    private readonly challenges: WalletChallenges,
    private readonly walletSessions: WalletSessions,
    private readonly oauth: OAuthServer,
    private readonly pages: InteractionPages,
  ) {}

  /** Answers with a message for the sent address. An invalid address is shown again with the problem. */
  async askForSignature(visit: Visit): Promise<void> {
    const form = await this.readForm(visit);
    const address = fieldOf(form, 'address').slice(0, LONGEST_ADDRESS);
    try {
      const challenge = await this.challenges.issue({ ...useOf(visit), address });
      if (prefersJson(visit.request)) sendChallenge(visit.response, challenge);
      else this.pages.sendSignIn(visit, { challenge });
    } catch (error) {
      if (!isMistake(error) || prefersJson(visit.request)) throw error;
      this.pages.sendSignIn(visit, { address, problem: { field: 'address', text: textOf(error) } }, error.status);
    }
  }

  /** Signs in and continues the interaction. A refused signature leads back to the first step. */
  async signIn(visit: Visit): Promise<void> {
    const form = await this.readForm(visit);
    const signed = { challengeId: fieldOf(form, 'challenge_id'), signature: fieldOf(form, 'signature') };
    try {
      const proof = await this.challenges.redeem({ ...useOf(visit), ...signed });
      const accountId = await this.walletSessions.start(visit.request, visit.response, proof);
      await this.oauth.finishSignIn(visit.request, visit.response, accountId);
    } catch (error) {
      if (!isMistake(error) || prefersJson(visit.request)) throw error;
      this.pages.sendSignIn(visit, { problem: { field: 'signature', text: textOf(error) } }, error.status);
    }
  }

  private async readForm({ request, response, binding, pending }: Visit): Promise<URLSearchParams> {
    const form = await readForm(request, response, this.environment.baseUrl);
    this.tokens.check(binding, signInForm(pending.uid), form.get('form_token'));
    return form;
  }
}

/** The use that the challenge is bound to. */
function useOf({ binding, pending, request }: Visit): ChallengeUse {
  const { ip, context } = request;
  return { binding, purpose: 'sign_in', requestId: pending.uid, clientAddress: ip, auditId: context.requestId };
}

/** True for an error that the person can correct on the same page. */
function isMistake(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'invalid_request' || error.code === 'invalid_parameter');
}

function textOf({ reason, suggestion = '' }: ApiError): string {
  return `${reason} ${suggestion}`.trim();
}
