import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../platform/web/form-body.js';
import { sendWebPage } from '../../platform/web/page-shell.js';
import { AccountForms } from './account-forms.js';
import { AccountFrames } from './account-frames.js';
import { AccountKeys } from './account-keys.service.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from './account-page-routes.js';
import { type FormProblem, problemOf } from './form-problem.js';
import { type KeyForm, keyInput, overlapInput, scopeInput, type TypedKey, typedKey } from './key-form.js';
import { redirectTo } from './notices.js';
import { OnceOnlyForms } from './once-only-forms.js';
import { keysPage } from './pages/keys.page.js';
import { type NewSecrets, newSecretsPage } from './pages/new-secrets.page.js';
import { type AccountVisit, Visit } from './signed-in.guard.js';

interface Asked {
  visit: AccountVisit;
  request: Request;
  response: Response;
}

/** `/account/keys`: API keys of the person. A secret is in the answer that made it and nowhere else. */
@AccountPageController('account/keys')
export class KeysController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly once: OnceOnlyForms,
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
    const asked = { visit, request, response };
    const form = await this.forms.read(visit, request, response);
    const typed = typedKey(form);
    await this.makeOnce(asked, form, { form: 'set', typed }, async () => {
      const input = keyInput('set', typed);
      const secrets = await this.keys.createSet(visit.account.id, input, request.context.requestId);
      return { kind: 'set', name: input.name, secrets };
    });
  }

  @Post('create')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async createKey(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asked = { visit, request, response };
    const form = await this.forms.read(visit, request, response);
    const typed = typedKey(form);
    await this.makeOnce(asked, form, { form: 'one', typed }, async () => {
      const input = { ...keyInput('one', typed), scope: scopeInput(typed) };
      const { key, secret } = await this.keys.create(visit.account.id, input, request.context.requestId);
      return { kind: 'one', name: key.name, secrets: { [key.scope]: secret } };
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
    const asked = { visit, request, response };
    const form = await this.forms.read(visit, request, response);
    await this.makeOnce(asked, form, undefined, async () => {
      const hours = overlapInput(keyId, form);
      const { key, secret } = await this.keys.roll(visit.account.id, keyId, hours, request.context.requestId);
      return { kind: 'rolled', name: key.name, secrets: { [key.scope]: secret }, overlapHours: hours };
    });
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

  /** Makes keys once per form that was shown, and shows their secrets; or the form again, with what is wrong. */
  private async makeOnce(
    asked: Asked,
    form: URLSearchParams,
    draft: { form: KeyForm; typed: TypedKey } | undefined,
    make: () => Promise<NewSecrets>,
  ): Promise<void> {
    const { visit, request, response } = asked;
    try {
      const made = await this.once.run(visit.account.id, fieldOf(form, 'form_token'), make);
      sendWebPage(response, 200, newSecretsPage(this.frames.of(visit, request), made));
    } catch (error) {
      await this.show(asked, problemOf(error), draft);
    }
  }

  private async show(
    { visit, request, response }: Asked,
    problem: FormProblem | null,
    draft?: { form: KeyForm; typed: TypedKey },
  ): Promise<void> {
    const keys = await this.keys.list(visit.account.id);
    const html = keysPage(this.frames.of(visit, request, problem), keys, draft);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}
