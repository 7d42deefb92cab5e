import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { AccountWallets } from '../../accounts/wallets/account-wallets.js';
import { WalletRemovals } from '../../accounts/wallets/wallet-removals.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { type AskedForm, ConfirmStep, type Deed } from '../signed-in/confirm-step.js';
import { problemOf } from '../page-parts/form-problem.js';
import { type NoticeCode, redirectTo } from '../signed-in/notices.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';
import { keepWallet, removeWallet, useWallet } from './wallet-deeds.js';
import { WalletsPage } from './wallets-page.service.js';

/** `/account/wallets`: which wallets sign in to the account, and which one signs its actions. */
@AccountPageController('account/wallets')
export class WalletsController {
  constructor(
    private readonly environment: Environment,
    private readonly forms: AccountForms,
    private readonly confirm: ConfirmStep,
    private readonly wallets: AccountWallets,
    private readonly removals: WalletRemovals,
    private readonly page: WalletsPage,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openWallets(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.page.send(visit, request, response);
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
      await this.page.send(visit, request, response, { problem: problemOf(error) });
    }
  }
}

/** A change of one wallet. The functions get the wallet's stored address. */
interface WalletChange {
  deedOf: (address: string) => Deed;
  /** Throws the errors of the change before a wallet is asked to confirm it. */
  check: (address: string) => Promise<void>;
  apply: (address: string) => Promise<void>;
}
