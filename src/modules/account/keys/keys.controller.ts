import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountKeys } from './account-keys.service.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import type { AskedForm, Deed } from '../signed-in/confirm-step.js';
import { ConfirmedOnce } from '../signed-in/confirmed-once.js';
import { type FormProblem, problemOf } from '../page-parts/form-problem.js';
import { createKey, createKeys, replaceKey } from './key-deeds.js';
import { keyInput, overlapInput, scopeInput, typedKey } from './key-form.js';
import { limitsInput } from '../page-parts/limits-input.js';
import { typedLimits } from '../../credentials/spending/spend-limit-fields.js';
import { redirectTo } from '../signed-in/notices.js';
import { type KeyDrafts, keysPage, limitsForm } from './keys.page.js';
import { type NewSecrets, newSecretsPage } from './new-secrets.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

/** Keys to make: the action that a wallet must confirm, and the function that then makes them. */
interface Making {
  deed: Deed;
  make: () => Promise<NewSecrets>;
}

/** `/account/keys`: API keys of the person. A secret appears only in the answer that creates it. */
@AccountPageController('account/keys')
export class KeysController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly once: ConfirmedOnce,
    private readonly keys: AccountKeys,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openKeys(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show({ visit, request, response }, null);
  }

  @Post()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async createKeySet(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const typed = typedKey(form);
    await this.makeOnce({ visit, request, response, form }, { created: { form: 'set', typed } }, async () => {
      const input = keyInput('set', typed);
      return {
        deed: createKeys(input, typed),
        make: async () => {
          const secrets = await this.keys.createSet(visit.account.id, input, request.context.requestId);
          return { kind: 'set', name: input.name, secrets };
        },
      };
    });
  }

  @Post('create')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async createKey(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const typed = typedKey(form);
    await this.makeOnce({ visit, request, response, form }, { created: { form: 'one', typed } }, async () => {
      const input = { ...keyInput('one', typed), scope: scopeInput(typed) };
      return {
        deed: createKey(input, typed),
        make: async () => {
          const { key, secret } = await this.keys.create(visit.account.id, input, request.context.requestId);
          return { kind: 'one', name: key.name, secrets: { [key.scope]: secret } };
        },
      };
    });
  }

  @Post(':key_id/roll')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async rollKey(
    @Param('key_id') keyId: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    await this.makeOnce({ visit, request, response, form }, undefined, async () => {
      const hours = overlapInput(keyId, form);
      return {
        deed: replaceKey(await this.keys.find(visit.account.id, keyId), hours),
        make: async () => {
          const { key, secret } = await this.keys.roll(visit.account.id, keyId, hours, request.context.requestId);
          return { kind: 'rolled', name: key.name, secrets: { [key.scope]: secret }, overlapHours: hours };
        },
      };
    });
  }

  /** Lowering needs no wallet: whoever has stolen the session gains nothing by it. */
  @Post(':key_id/limits')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async lowerKeyLimits(
    @Param('key_id') keyId: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const lowered = { form: limitsForm(keyId), typed: typedLimits(form) };
    try {
      const limits = limitsInput(lowered.form, lowered.typed);
      await this.keys.lower(visit.account.id, keyId, limits, request.context.requestId);
    } catch (error) {
      await this.show({ visit, request, response }, problemOf(error), { lowered });
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account/keys', 'limits-lowered');
  }

  @Post(':key_id/revoke')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async revokeKey(
    @Param('key_id') keyId: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.read(visit, request, response);
    try {
      await this.keys.revoke(visit.account.id, keyId, request.context.requestId);
    } catch (error) {
      await this.show({ visit, request, response }, problemOf(error));
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account/keys', 'key-revoked');
  }

  /**
   * Makes keys, at most once per form, after a wallet has confirmed it, and shows their secrets. Without a valid
   * signature it asks the wallet first; for a faulty form it shows the form again with the problem.
   */
  private async makeOnce(asked: AskedForm, drafts: KeyDrafts | undefined, read: () => Promise<Making>): Promise<void> {
    const { visit, request, response } = asked;
    try {
      const { deed, make } = await read();
      const made = await this.once.run(asked, deed, make);
      if (made) sendWebPage(response, 200, newSecretsPage(this.frames.frameOf(visit, request), made.done));
    } catch (error) {
      await this.show({ visit, request, response }, problemOf(error), drafts);
    }
  }

  private async show(
    { visit, request, response }: Omit<AskedForm, 'form'>,
    problem: FormProblem | null,
    drafts?: KeyDrafts,
  ): Promise<void> {
    const keys = await this.keys.list(visit.account.id);
    const html = keysPage(this.frames.frameOf(visit, request, problem), keys, drafts);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}
