import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { fieldOf } from '../../platform/web/form-body.js';
import { publicPath } from '../../platform/web/public-path.js';
import { prefersJson } from '../../platform/web/web-error.filter.js';
import type { OpenChallenge, WalletFormOptions, WalletProblem } from '../auth/consent/wallet-form.js';
import { type ChallengeUse, WalletChallenges } from '../auth/wallet-sign-in/wallet-challenges.js';
import type { WalletProof } from '../auth/wallets/wallet-proof.js';

/** A page on which a wallet is proved. */
export interface WalletPage {
  /** Path below which `challenge` and the proof's path lie, without the base URL's. */
  path: '/account' | '/account/wallets';
  submit: WalletFormOptions['submit'];
  purpose: ChallengeUse['purpose'];
  /** Names the page in the message; begins with `account`. */
  requestId: string;
}

/** What the page shows besides an empty form. */
export interface WalletDraft {
  challenge?: OpenChallenge;
  problem?: WalletProblem;
  address?: string;
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
      const opened = await this.challenges.issue({ ...use, address, clientAddress: request.ip });
      if (!prefersJson(request)) return { challenge: { ...opened, address } };
      sendChallenge(response, { ...opened, address });
      return null;
    } catch (error) {
      if (prefersJson(request) || !isMistake(error)) throw error;
      return { address, problem: { field: 'address', text: sentencesOf(error) } };
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

  private useOf({ purpose, requestId }: WalletPage, binding: string, { context }: Request): ChallengeUse {
    return { binding, purpose, requestId, auditId: context.requestId };
  }
}

/** What to show when a proof was refused. Throws again what is no matter of the form. */
export function refusedProof(error: unknown): { status: number; problem: WalletProblem } {
  if (!isMistake(error)) throw error;
  return { status: error.status, problem: { field: 'signature', text: sentencesOf(error) } };
}

function isMistake(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function sentencesOf({ reason, suggestion }: ApiError): string {
  return [reason, suggestion].filter(Boolean).join(' ');
}

function sendChallenge(response: Response, { challengeId, message, expiresAt }: OpenChallenge): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ challenge_id: challengeId, message, expires_at: expiresAt.toISOString() }));
}
