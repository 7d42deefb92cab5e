import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { instantOf } from '../../../platform/http/input/instant.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { FieldRefused, type FormProblem, problemOf } from '../page-parts/form-problem.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import type { AskedForm } from '../signed-in/confirm-step.js';
import { type NoticeCode, redirectTo } from '../signed-in/notices.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';
import { AccountWebhooks } from './account-webhooks.service.js';
import { webhookAttemptPage } from './webhook-attempt.page.js';
import { deleteWebhookPage, webhookPage } from './webhook.page.js';

/** `/account/webhooks/ID`: one endpoint, whoever made it, what was sent to it, and what one click does with it. */
@AccountPageController('account/webhooks/:endpoint_id')
export class WebhookController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly webhooks: AccountWebhooks,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openWebhook(
    @Param('endpoint_id') id: string,
    @Query('cursor') cursor: unknown,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.show({ visit, request, response }, id, null, typeof cursor === 'string' ? cursor : undefined);
  }

  @Get('attempts/:attempt_id')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openAttempt(
    @Param('endpoint_id') id: string,
    @Param('attempt_id') attemptId: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visit.account.id, id);
    const attempt = await this.webhooks.findAttempt(visit.account.id, id, attemptId);
    sendWebPage(response, 200, webhookAttemptPage(this.frames.frameOf(visit, request), webhook, attempt));
  }

  @Get('delete')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openDelete(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visit.account.id, id);
    sendWebPage(response, 200, deleteWebhookPage(this.frames.frameOf(visit, request), webhook));
  }

  @Post('delete')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async deleteWebhook(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.read(visit, request, response);
    await this.webhooks.delete(visit.account.id, id, request.context.requestId);
    redirectTo(response, this.environment.baseUrl, '/account/webhooks', 'webhook-deleted');
  }

  @Post('enable')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async enableWebhook(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async (form) => {
      const catchesUp = fieldOf(form, 'catch_up') === 'yes';
      await this.webhooks.enable(visit.account.id, id, catchesUp, request.context.requestId);
      return catchesUp ? 'webhook-caught-up' : 'webhook-on';
    });
  }

  @Post('disable')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async disableWebhook(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async () => {
      await this.webhooks.disable(visit.account.id, id, request.context.requestId);
      return 'webhook-off';
    });
  }

  @Post('test')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async testWebhook(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async () => {
      await this.webhooks.test(visit.account.id, id);
      return 'webhook-tested';
    });
  }

  @Post('replay')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async replayEvent(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async (form) => {
      await this.webhooks.replay(visit.account.id, id, { what: 'events', eventIds: [fieldOf(form, 'event_id')] });
      return 'webhook-replayed';
    });
  }

  @Post('since')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async replaySince(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async (form) => {
      await this.webhooks.replay(visit.account.id, id, { what: 'since', since: sinceIn(form) }).catch(asField);
      return 'webhook-replayed';
    });
  }

  @Post('failed')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async replayFailed(
    @Param('endpoint_id') id: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.act({ visit, request, response }, id, async () => {
      const events = await this.webhooks.replay(visit.account.id, id, { what: 'failed' });
      return events === 0 ? 'webhook-none-failed' : 'webhook-replayed';
    });
  }

  /** Carries out a form, and shows the endpoint's page with a notice, or with what was wrong. */
  private async act(
    asked: Omit<AskedForm, 'form'>,
    id: string,
    work: (form: URLSearchParams) => Promise<NoticeCode>,
  ): Promise<void> {
    const { visit, request, response } = asked;
    const form = await this.forms.read(visit, request, response);
    let notice: NoticeCode;
    try {
      notice = await work(form);
    } catch (error) {
      await this.show(asked, id, problemOf(error));
      return;
    }
    redirectTo(response, this.environment.baseUrl, `/account/webhooks/${id}`, notice);
  }

  /** @throws ApiError `not_found`. */
  private async show(
    { visit, request, response }: Omit<AskedForm, 'form'>,
    id: string,
    problem: FormProblem | null,
    cursor?: string,
  ): Promise<void> {
    const { id: accountId } = visit.account;
    const webhook = await this.webhooks.find(accountId, id);
    const list = await this.webhooks.listAttempts(accountId, id, cursor);
    const html = webhookPage(this.frames.frameOf(visit, request, problem), webhook, list);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}

/** A time that the interface refuses, at its field. */
function asField(error: unknown): never {
  if (error instanceof ApiError && error.code === 'invalid_body') throw notPast();
  throw error;
}

function notPast(): FieldRefused {
  return new FieldRefused('again-since', 'Give a day and a time in the past, such as 2026-11-20T12:55.');
}

/** The time in the form, which browsers send without seconds and zone; it is UTC. @throws FieldRefused. */
function sinceIn(form: URLSearchParams): Date {
  const text = fieldOf(form, 'since');
  const since = instantOf(/T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : `${text}Z`);
  if (since === null) throw notPast();
  return since;
}
