import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../platform/web/form-body.js';
import { sendWebPage } from '../../platform/web/page-shell.js';
import type { WalletDraft } from '../auth/consent/wallet-form.js';
import { AccountWallets } from '../auth/wallets/account-wallets.js';
import { AccountForms } from './account-forms.js';
import { AccountFrames } from './account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from './account-page-routes.js';
import { type FormProblem, problemOf } from './form-problem.js';
import { type NoticeCode, redirectTo } from './notices.js';
import { walletsPage } from './pages/wallets.page.js';
import { type AccountVisit, Visit } from './signed-in.guard.js';
import { refusedProof, type WalletPage, WalletStep } from './wallet-step.js';

const PAGE: WalletPage = {
  path: '/account/wallets',
  submit: 'link',
  purpose: 'link_wallet',
  requestId: 'account-wallets',
};
const LINK_PATH = '/account/wallets/link';

/** `/account/wallets`: which wallets sign in to the account, and which one signs its actions. */
@AccountPageController('account/wallets')
export class WalletsController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly step: WalletStep,
    private readonly wallets: AccountWallets,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openWallets(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show(visit, request, response, {});
  }

  @Post('challenge')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async askForSignature(
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response, LINK_PATH);
    const draft = await this.step.challenge(PAGE, { binding: visit.binding, form, request, response });
    if (draft !== null) await this.show(visit, request, response, { draft, status: draft.problem ? 400 : 200 });
  }

  /** The challenge is bound to the session: a proof cannot end up in another account of the same browser. */
  @Post('link')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async linkWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response, LINK_PATH);
    try {
      const proof = await this.step.redeem(PAGE, visit.binding, form, request);
      await this.wallets.link(visit.account.id, proof, request.context.requestId);
    } catch (error) {
      const { status, problem } = refusedProof(error);
      await this.show(visit, request, response, { draft: { problem }, status });
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account/wallets', 'wallet-linked');
  }

  @Post('unlink')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async unlinkWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.change(visit, request, response, 'wallet-unlinked', (address) =>
      this.wallets.unlink(visit.account.id, address, request.context.requestId),
    );
  }

  @Post('use')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async useWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.change(visit, request, response, 'wallet-used', (address) =>
      this.wallets.useForSigning(visit.account.id, address, request.context.requestId),
    );
  }

  private async change(
    visit: AccountVisit,
    request: Request,
    response: Response,
    notice: NoticeCode,
    apply: (address: string) => Promise<void>,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    try {
      await apply(fieldOf(form, 'address'));
    } catch (error) {
      await this.show(visit, request, response, { problem: problemOf(error) });
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account/wallets', notice);
  }

  private async show(
    visit: AccountVisit,
    request: Request,
    response: Response,
    { draft = {}, problem = null, status = problem?.status ?? 200 }: Shown,
  ): Promise<void> {
    const frame = this.frames.of(visit, request, problem);
    const form = this.step.formOf(PAGE, frame.tokenFor(LINK_PATH), draft);
    sendWebPage(response, status, walletsPage(frame, await this.wallets.list(visit.account.id), form));
  }
}

interface Shown {
  draft?: WalletDraft;
  problem?: FormProblem | null;
  status?: number;
}
