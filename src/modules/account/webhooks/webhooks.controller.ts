import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { type FormProblem, problemOf } from '../page-parts/form-problem.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { type AskedForm, ConfirmStep } from '../signed-in/confirm-step.js';
import { ConfirmedOnce } from '../signed-in/confirmed-once.js';
import { redirectTo } from '../signed-in/notices.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';
import { AccountWebhooks } from './account-webhooks.service.js';
import { createWebhook, moveWebhook, replaceWebhookSecret } from './webhook-deeds.js';
import { NEW_WEBHOOK, presentValues, type TypedWebhook, typedWebhook, webhookInput } from './webhook-form.js';
import { changeWebhookPage, newWebhookPage } from './webhook-form.page.js';
import { webhookSecretPage } from './webhook-secret.page.js';
import { webhooksPage } from './webhooks.page.js';

type Asked = Omit<AskedForm, 'form'>;

const LOST_SECRET = 'If you did not see the secret, replace it on the page of the endpoint.';

/**
 * `/account/webhooks`: the endpoints of the account, and the forms that make and change those of the page. What goes on
 * when the session is over asks the wallet: a new endpoint, another address, and a new secret.
 */
@AccountPageController('account/webhooks')
export class WebhooksController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly confirm: ConfirmStep,
    private readonly once: ConfirmedOnce,
    private readonly webhooks: AccountWebhooks,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openWebhooks(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const webhooks = await this.webhooks.list(visit.account.id);
    sendWebPage(response, 200, webhooksPage(this.frames.frameOf(visit, request), webhooks));
  }

  @Get('new')
  @Public(SESSION_IS_THE_CREDENTIAL)
  openNewWebhook(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): void {
    this.showNew({ visit, request, response }, NEW_WEBHOOK, null);
  }

  @Post()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async createWebhook(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const typed = typedWebhook(form);
    const asked = { visit, request, response, form };
    try {
      const input = webhookInput(typed, this.environment);
      const make = () => this.webhooks.create(visit.account.id, input, request.context.requestId);
      const made = await this.once.run(asked, createWebhook(input), make, LOST_SECRET);
      if (made) sendWebPage(response, 200, webhookSecretPage(this.frames.frameOf(visit, request), made.done));
    } catch (error) {
      this.showNew(asked, typed, problemOf(error));
    }
  }

  @Get(':endpoint_id/change')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openChange(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const endpoint = await this.webhooks.findOwn(visit.account.id, id);
    this.showChange({ visit, request, response }, endpoint, presentValues(endpoint), null);
  }

  @Post(':endpoint_id/change')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async changeWebhook(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const endpoint = await this.webhooks.findOwn(visit.account.id, id);
    const asked = { visit, request, response, form };
    const typed = typedWebhook(form);
    try {
      if (!(await this.change(asked, endpoint, typed))) return;
    } catch (error) {
      this.showChange(asked, endpoint, typed, problemOf(error));
      return;
    }
    redirectTo(response, this.environment.baseUrl, `/account/webhooks/${id}`, 'webhook-changed');
  }

  @Post(':endpoint_id/secret')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async replaceSecret(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const endpoint = await this.webhooks.findOwn(visit.account.id, id);
    const asked = { visit, request, response, form };
    const make = () => this.webhooks.replaceSecret(visit.account.id, id, request.context.requestId);
    const made = await this.once.run(asked, replaceWebhookSecret(endpoint), make, LOST_SECRET);
    if (made) sendWebPage(response, 200, webhookSecretPage(this.frames.frameOf(visit, request), made.done));
  }

  /** Returns false when the page that asks the wallet was sent instead. */
  private async change(asked: AskedForm, endpoint: WebhookEndpointEntity, typed: TypedWebhook): Promise<boolean> {
    const { visit, request } = asked;
    const { url, ...rest } = webhookInput(typed, this.environment);
    const { requestId } = request.context;
    if (url === endpoint.url) {
      // Without the address: somebody may have moved it meanwhile, and nothing but a signature may move it back.
      await this.webhooks.change(visit.account.id, endpoint.id, rest, requestId);
      return true;
    }
    const move = () => this.webhooks.change(visit.account.id, endpoint.id, { url, ...rest }, requestId);
    return (await this.confirm.confirmed(asked, moveWebhook(endpoint, { url, ...rest }), move)) !== null;
  }

  private showNew({ visit, request, response }: Asked, typed: TypedWebhook, problem: FormProblem | null): void {
    const html = newWebhookPage(this.frames.frameOf(visit, request, problem), typed);
    sendWebPage(response, problem?.status ?? 200, html);
  }

  private showChange(
    { visit, request, response }: Asked,
    endpoint: WebhookEndpointEntity,
    typed: TypedWebhook,
    problem: FormProblem | null,
  ): void {
    const html = changeWebhookPage(this.frames.frameOf(visit, request, problem), endpoint, typed);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}
