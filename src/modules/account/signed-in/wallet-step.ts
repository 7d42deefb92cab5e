import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { prefersJson } from '../../../platform/pages/web-error.filter.js';
import type { WalletDraft, WalletFormOptions, WalletProblem } from '../../oauth/consent/wallet-form.js';
import { sendChallenge } from '../../sign-in/challenge-answer.js';
import { type ChallengeUse, WalletChallenges } from '../../sign-in/wallet-challenges.js';
import type { WalletProof } from '../../accounts/wallets/wallet-proof.js';
import { problemOf } from '../page-parts/form-problem.js';

/** A page on which a wallet is proved. */
export interface WalletPage {
  /** Path below which `challenge` and the proof's path lie, without the base URL's. */
  path: '/account' | '/account/wallets';
  submit: WalletFormOptions['submit'];
  purpose: ChallengeUse['purpose'];
  /** Names the page in the message; begins with `account`. */
  requestId: string;
}

/** Longest text that is shown again in the address field. */
const LONGEST_ADDRESS = 64;

/** The two steps in which a wallet is proved on an account page: a message to sign, and its signature. */
@Injectable()
export class WalletStep {
  constructor(
    private readonly environment: Environment,
    private readonly challenges: WalletChallenges,
  ) {}

  /** What `walletForm` needs. */
  formOf({ path, submit }: WalletPage, formToken: string, draft: WalletDraft = {}): WalletFormOptions {
    const { baseUrl, chainId } = this.environment;
    return { base: publicPath(baseUrl, path), submit, formToken, chainId, ...draft };
  }

  /**
   * Makes a message for the address in the form. A program has its answer then, and this gives null; for a person it gives
   * what to show.
   * @throws ApiError that is no mistake in the form, and for programs any.
   */
  async challenge(
    page: WalletPage,
    {
      binding,
      form,
      request,
      response,
    }: { binding: string; form: URLSearchParams; request: Request; response: Response },
  ): Promise<WalletDraft | null> {
    const address = fieldOf(form, 'address').slice(0, LONGEST_ADDRESS);
    try {
      const use = this.useOf(page, binding, request);
      const opened = await this.challenges.issue({ ...use, address });
      if (!prefersJson(request)) return { challenge: opened };
      sendChallenge(response, opened);
      return null;
    } catch (error) {
      if (prefersJson(request)) throw error;
      return { address, problem: { field: 'address', text: problemOf(error).text } };
    }
  }

  /** The wallet whose signature is in the form. @throws ApiError as `WalletChallenges.redeem`. */
  redeem(page: WalletPage, binding: string, form: URLSearchParams, request: Request): Promise<WalletProof> {
    return this.challenges.redeem({
      ...this.useOf(page, binding, request),
      challengeId: fieldOf(form, 'challenge_id'),
      signature: fieldOf(form, 'signature'),
    });
  }

  /** As `WalletChallenges.provedBefore`. @param proofId the challenge that was answered. */
  provedBefore(page: WalletPage, binding: string, proofId: string, request: Request): Promise<WalletProof> {
    return this.challenges.provedBefore(this.useOf(page, binding, request), proofId);
  }

  private useOf({ purpose, requestId }: WalletPage, binding: string, { ip, context }: Request): ChallengeUse {
    return { binding, purpose, requestId, clientAddress: ip, auditId: context.requestId };
  }
}

/** What to show when a proof was refused. Throws again what is no matter of the form. */
export function refusedProof(error: unknown): { status: number; problem: WalletProblem } {
  const { status, text } = problemOf(error);
  return { status, problem: { field: 'signature', text } };
}
