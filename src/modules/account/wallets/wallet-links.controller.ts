import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { AccountWallets } from '../../accounts/wallets/account-wallets.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { type AskedForm, ConfirmStep } from '../signed-in/confirm-step.js';
import { redirectTo } from '../signed-in/notices.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';
import { refusedProof, WalletStep } from '../signed-in/wallet-step.js';
import { addWallet } from './wallet-deeds.js';
import { ADDING, LINK_PATH, WalletsPage } from './wallets-page.service.js';

/** The forms of `/account/wallets` that add a wallet to the account. */
@AccountPageController('account/wallets')
export class WalletLinksController {
  constructor(
    private readonly environment: Environment,
    private readonly forms: AccountForms,
    private readonly step: WalletStep,
    private readonly confirm: ConfirmStep,
    private readonly wallets: AccountWallets,
    private readonly page: WalletsPage,
  ) {}

  @Post('challenge')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async askForSignature(
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response, LINK_PATH);
    const draft = await this.step.challenge(ADDING, { binding: visit.binding, form, request, response });
    if (draft !== null) await this.page.send(visit, request, response, { draft, status: draft.problem ? 400 : 200 });
  }

  /**
   * Adds a wallet in two steps: the new wallet proves itself, then the signing wallet agrees. Both messages are bound
   * to the session, so a proof cannot be used for another account of the same browser.
   */
  @Post('link')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async linkWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response, LINK_PATH);
    const asked = { visit, request, response, form };
    try {
      if (form.has('proof')) return await this.linkProved(asked);
      const proof = await this.step.redeem(ADDING, visit.binding, form, request);
      await this.wallets.assertFree(visit.account.id, proof, request.context.requestId);
      await this.confirm.ask(
        { ...asked, form: new URLSearchParams() },
        addWallet(proof, fieldOf(form, 'challenge_id')),
      );
    } catch (error) {
      const { status, problem } = refusedProof(error);
      await this.page.send(visit, request, response, { draft: { problem }, status });
    }
  }

  private async linkProved(asked: AskedForm): Promise<void> {
    const { visit, request, response, form } = asked;
    const proofId = fieldOf(form, 'proof');
    const proof = await this.step.provedBefore(ADDING, visit.binding, proofId, request);
    const linked = await this.confirm.confirmed(asked, addWallet(proof, proofId), () =>
      this.wallets.link(visit.account.id, proof, request.context.requestId),
    );
    if (linked) redirectTo(response, this.environment.baseUrl, '/account/wallets', 'wallet-linked');
  }
}
