import { Controller, Get, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../../platform/pages/assets/test-wallet-scripts.js';
import { WebErrorFilter } from '../../../platform/pages/web-error.filter.js';
import type { WalletDraft } from '../../oauth/consent/wallet-form.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { WalletSessions } from '../../sign-in/wallet-sessions.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { noticeOf, redirectTo } from '../signed-in/notices.js';
import { signInPage } from './sign-in.page.js';
import { refusedProof, type WalletPage, WalletStep } from '../signed-in/wallet-step.js';

const SIGN_IN_PATH = '/account/sign-in';
const PAGE: WalletPage = { path: '/account', submit: 'sign-in', purpose: 'sign_in', requestId: 'account-sign-in' };
const OPEN_TO_ALL = 'it is where a browser session begins';

/** `/account/sign-in`: a wallet's signature starts a session in this browser. */
@ApiExcludeController()
@Controller({ path: 'account', version: VERSION_NEUTRAL })
@UseFilters(WebErrorFilter)
export class SignInController {
  constructor(
    private readonly environment: Environment,
    private readonly forms: AccountForms,
    private readonly step: WalletStep,
    private readonly walletSessions: WalletSessions,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  @Get('sign-in')
  @Public(OPEN_TO_ALL)
  async openSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.sessions.find(this.cookies.readSession(request));
    if (session === null) this.show(request, response);
    else redirectTo(response, this.environment.baseUrl, '/account');
  }

  @Post('challenge')
  @Public(OPEN_TO_ALL)
  async askForSignature(@Req() request: Request, @Res() response: Response): Promise<void> {
    const binding = this.cookies.bindingOf(request, response);
    const form = await this.forms.read({ binding }, request, response, SIGN_IN_PATH);
    const draft = await this.step.challenge(PAGE, { binding, form, request, response });
    if (draft !== null) this.show(request, response, draft, draft.problem ? 400 : 200);
  }

  @Post('sign-in')
  @Public(OPEN_TO_ALL)
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const binding = this.cookies.bindingOf(request, response);
    const form = await this.forms.read({ binding }, request, response, SIGN_IN_PATH);
    try {
      await this.walletSessions.start(request, response, await this.step.redeem(PAGE, binding, form, request));
    } catch (error) {
      const { status, problem } = refusedProof(error);
      this.show(request, response, { problem }, status);
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account');
  }

  private show(request: Request, response: Response, draft: WalletDraft = {}, status = 200): void {
    const { displayName, baseUrl } = this.environment;
    const token = this.forms.tokensOf({ binding: this.cookies.bindingOf(request, response) })(SIGN_IN_PATH);
    const wallet = this.step.formOf(PAGE, token, draft);
    const walletScripts = testWalletScripts(this.environment);
    const notice = noticeOf(request);
    sendWebPage(response, status, signInPage({ displayName, baseUrl, wallet, notice, walletScripts }));
  }
}
