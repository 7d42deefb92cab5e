import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { fieldOf, readForm } from '../../platform/pages/form-body.js';
import { FormTokens } from '../../platform/pages/form-tokens.js';
import type { WalletDraft, WalletFormOptions } from '../oauth/consent/wallet-form.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { type ChallengeUse, type OpenedChallenge, WalletChallenges } from '../sign-in/wallet-challenges.js';
import type { SigningVisit } from './signing-visits.js';

/** The address field is cut to this length. */
const LONGEST_ADDRESS = 64;

/** Wallet proof with which the owner of the expected wallet opens an action that another browser has open. */
@Injectable()
export class WalletTakeover {
  constructor(
    private readonly environment: Environment,
    private readonly challenges: WalletChallenges,
    private readonly tokens: FormTokens,
    private readonly cookies: BrowserCookies,
  ) {}

  /** Options for `walletForm`. @param base public path of the link. */
  formOf(
    { action }: SigningVisit,
    base: string,
    { request, response, draft = {} }: { request: Request; response: Response; draft?: WalletDraft },
  ): WalletFormOptions {
    const formToken = this.tokens.issue(this.cookies.bindingOf(request, response), formName(action.id));
    return { base, submit: 'take-over', formToken, chainId: this.environment.chainId, ...draft };
  }

  /**
   * Issues the message that the wallet of the form's address is to sign. @throws ApiError as `readForm`,
   * `FormTokens.check`, `WalletChallenges.issue`.
   */
  async challenge(visit: SigningVisit, request: Request, response: Response): Promise<OpenedChallenge> {
    const { form, use } = await this.read(visit, request, response);
    const address = fieldOf(form, 'address').slice(0, LONGEST_ADDRESS);
    return this.challenges.issue({ ...use, address });
  }

  /**
   * Returns when the signature in the form is by the expected wallet.
   * @throws ApiError as `challenge`; `claim_required` when another wallet signed.
   */
  async prove(visit: SigningVisit, request: Request, response: Response): Promise<void> {
    const { form, use } = await this.read(visit, request, response);
    const answer = { challengeId: fieldOf(form, 'challenge_id'), signature: fieldOf(form, 'signature') };
    const { address } = await this.challenges.redeem({ ...use, ...answer });
    const { walletAddress } = visit.action;
    if (address.toLowerCase() === walletAddress.toLowerCase()) return;
    throw new ApiError(
      'claim_required',
      'This is not the wallet that is to sign.',
      `Use the one whose address ends in ${walletAddress.slice(-4)}.`,
    );
  }

  private async read(
    { action }: SigningVisit,
    request: Request,
    response: Response,
  ): Promise<{ form: URLSearchParams; use: ChallengeUse }> {
    const form = await readForm(request, response, this.environment.baseUrl);
    const binding = this.cookies.bindingOf(request, response);
    this.tokens.check(binding, formName(action.id), form.get('form_token'));
    const { ip, context } = request;
    const page = { purpose: 'open_action', requestId: action.id } as const;
    return { form, use: { ...page, binding, clientAddress: ip, auditId: context.requestId } };
  }
}

function formName(actionId: string): string {
  return `/sign/take-over ${actionId}`;
}
