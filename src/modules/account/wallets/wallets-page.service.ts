import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../../platform/pages/assets/test-wallet-scripts.js';
import type { WalletDraft } from '../../oauth/consent/wallet-form.js';
import { AccountWallets } from '../../accounts/wallets/account-wallets.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import type { FormProblem } from '../page-parts/form-problem.js';
import type { AccountVisit } from '../signed-in/signed-in.guard.js';
import { type WalletPage, WalletStep } from '../signed-in/wallet-step.js';
import { walletsPage } from './wallets.page.js';

/** The page as a place where a person proves a new wallet. */
export const ADDING: WalletPage = {
  path: '/account/wallets',
  submit: 'link',
  purpose: 'link_wallet',
  requestId: 'account-wallets',
};
export const LINK_PATH = '/account/wallets/link';

/** What the page shows besides the wallets. */
interface Shown {
  draft?: WalletDraft;
  problem?: FormProblem | null;
  status?: number;
}

/** Sends the page of an account's wallets. */
@Injectable()
export class WalletsPage {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly step: WalletStep,
    private readonly wallets: AccountWallets,
  ) {}

  /** Sends the page with what became of the last form: the draft of a new wallet, or a problem. */
  async send(
    visit: AccountVisit,
    request: Request,
    response: Response,
    { draft = {}, problem = null, status = problem?.status ?? 200 }: Shown = {},
  ): Promise<void> {
    const frame = this.frames.frameOf(visit, request, problem);
    const form = this.step.formOf(ADDING, frame.tokenFor(LINK_PATH), draft);
    sendWebPage(
      response,
      status,
      walletsPage(frame, await this.wallets.list(visit.account.id), form, testWalletScripts(this.environment)),
    );
  }
}
