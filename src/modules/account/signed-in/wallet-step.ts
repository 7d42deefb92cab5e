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

/** A page on which a person proves a wallet by a signature. */
export interface WalletPage {
  /** Path above the routes `challenge` and `submit`, without the base URL's path. */
  path: '/account' | '/account/wallets';
  submit: WalletFormOptions['submit'];
  purpose: ChallengeUse['purpose'];
  /** Request id in the message to sign; it names the page and begins with `account`. */
  requestId: string;
}

/** Longest address text that is read and shown again, in characters. */
const LONGEST_ADDRESS = 64;

/** The two steps by which a person proves a wallet on an account page: get a message to sign, submit its signature. */
@Injectable()
export class WalletStep {
  constructor(
    private readonly environment: Environment,
    private readonly challenges: WalletChallenges,
  ) {}

  /** Returns the options for `walletForm`. */
  formOf({ path, submit }: WalletPage, formToken: string, draft: WalletDraft = {}): WalletFormOptions {
    const { baseUrl, chainId } = this.environment;
    return { base: publicPath(baseUrl, path), submit, formToken, chainId, ...draft };
  }

  /**
   * Issues a message for the address in the form. For a client that prefers JSON, sends the answer and returns null;
   * otherwise returns the draft for the page to show.
   * @throws ApiError for a client that prefers JSON; otherwise only an error that is no fault of the form.
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

  /** Returns the wallet whose signature is in the form. @throws ApiError as `WalletChallenges.redeem`. */
  redeem(page: WalletPage, binding: string, form: URLSearchParams, request: Request): Promise<WalletProof> {
    return this.challenges.redeem({
      ...this.useOf(page, binding, request),
      challengeId: fieldOf(form, 'challenge_id'),
      signature: fieldOf(form, 'signature'),
    });
  }

  /**
   * Returns a wallet that was proved before, as `WalletChallenges.provedBefore`. @param proofId id of the challenge
   * that was signed.
   */
  provedBefore(page: WalletPage, binding: string, proofId: string, request: Request): Promise<WalletProof> {
    return this.challenges.provedBefore(this.useOf(page, binding, request), proofId);
  }

  private useOf({ purpose, requestId }: WalletPage, binding: string, { ip, context }: Request): ChallengeUse {
    return { binding, purpose, requestId, clientAddress: ip, auditId: context.requestId };
  }
}

/** Status and problem to show for a refused proof. Throws the error again when it is no fault of the form. */
export function refusedProof(error: unknown): { status: number; problem: WalletProblem } {
  const { status, text } = problemOf(error);
  return { status, problem: { field: 'signature', text } };
}
