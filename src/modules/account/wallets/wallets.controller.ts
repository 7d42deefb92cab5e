import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../../platform/pages/assets/test-wallet-scripts.js';
import type { WalletDraft } from '../../oauth/consent/wallet-form.js';
import { AccountWallets } from '../../accounts/wallets/account-wallets.js';
import { WalletRemovals } from '../../accounts/wallets/wallet-removals.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { type AskedForm, ConfirmStep, type Deed } from '../signed-in/confirm-step.js';
import { type FormProblem, problemOf } from '../page-parts/form-problem.js';
import { type NoticeCode, redirectTo } from '../signed-in/notices.js';
import { walletsPage } from './wallets.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';
import { addWallet, keepWallet, removeWallet, useWallet } from './wallet-deeds.js';
import { refusedProof, type WalletPage, WalletStep } from '../signed-in/wallet-step.js';

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
    private readonly confirm: ConfirmStep,
    private readonly wallets: AccountWallets,
    private readonly removals: WalletRemovals,
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
      const proof = await this.step.redeem(PAGE, visit.binding, form, request);
      await this.wallets.assertFree(visit.account.id, proof, request.context.requestId);
      await this.confirm.ask(
        { ...asked, form: new URLSearchParams() },
        addWallet(proof, fieldOf(form, 'challenge_id')),
      );
    } catch (error) {
      const { status, problem } = refusedProof(error);
      await this.show(visit, request, response, { draft: { problem }, status });
    }
  }

  private async linkProved(asked: AskedForm): Promise<void> {
    const { visit, request, response, form } = asked;
    const proofId = fieldOf(form, 'proof');
    const proof = await this.step.provedBefore(PAGE, visit.binding, proofId, request);
    const linked = await this.confirm.confirmed(asked, addWallet(proof, proofId), () =>
      this.wallets.link(visit.account.id, proof, request.context.requestId),
    );
    if (linked) redirectTo(response, this.environment.baseUrl, '/account/wallets', 'wallet-linked');
  }

  @Post('unlink')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async unlinkWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.change({ visit, request, response }, 'wallet-leaving', {
      deedOf: removeWallet,
      check: (address) => this.removals.assertRemovable(visit.account.id, address),
      apply: async (address) =>
        void (await this.removals.request(visit.account.id, address, request.context.requestId)),
    });
  }

  @Post('keep')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async keepWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.change({ visit, request, response }, 'wallet-kept', {
      deedOf: keepWallet,
      check: async () => undefined,
      apply: (address) => this.removals.undo(visit.account.id, address, request.context.requestId),
    });
  }

  @Post('use')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async useWallet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.change({ visit, request, response }, 'wallet-used', {
      deedOf: useWallet,
      check: (address) => this.wallets.assertUsable(visit.account.id, address),
      apply: (address) => this.wallets.useForSigning(visit.account.id, address, request.context.requestId),
    });
  }

  private async change(
    { visit, request, response }: Omit<AskedForm, 'form'>,
    notice: NoticeCode,
    { deedOf, check, apply }: WalletChange,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    try {
      const address = await this.removals.addressOf(visit.account.id, fieldOf(form, 'address'));
      await check(address);
      const asked = { visit, request, response, form };
      const changed = await this.confirm.confirmed(asked, deedOf(address), () => apply(address));
      if (changed) redirectTo(response, this.environment.baseUrl, '/account/wallets', notice);
    } catch (error) {
      await this.show(visit, request, response, { problem: problemOf(error) });
    }
  }

  private async show(
    visit: AccountVisit,
    request: Request,
    response: Response,
    { draft = {}, problem = null, status = problem?.status ?? 200 }: Shown,
  ): Promise<void> {
    const frame = this.frames.of(visit, request, problem);
    const form = this.step.formOf(PAGE, frame.tokenFor(LINK_PATH), draft);
    sendWebPage(
      response,
      status,
      walletsPage(frame, await this.wallets.list(visit.account.id), form, testWalletScripts(this.environment)),
    );
  }
}

/** A change of one wallet. The functions get the wallet's stored address. */
interface WalletChange {
  deedOf: (address: string) => Deed;
  /** Throws the errors of the change before a wallet is asked to confirm it. */
  check: (address: string) => Promise<void>;
  apply: (address: string) => Promise<void>;
}

interface Shown {
  draft?: WalletDraft;
  problem?: FormProblem | null;
  status?: number;
}
