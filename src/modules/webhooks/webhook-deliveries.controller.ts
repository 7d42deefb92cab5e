import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiError } from '../../platform/http/api-error.js';
import { checkedInstant } from '../../platform/http/input/instant.js';
import { ListOperation, WriteOperation } from '../../platform/operations/operation.decorators.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { PageQuery } from '../../platform/operations/page.query.js';
import { RequireScope } from '../credentials/scope.js';
import { WebhookAttemptDto, WebhookReplayDto, WebhookTestDto } from './dto/webhook-attempt.dto.js';
import { CurrentOwner, type EndpointOwner } from './endpoints/endpoint-owner.js';
import { ReplayWebhookEventsBody } from './dto/webhook-bodies.js';
import { WebhookAttemptsService } from './attempts/webhook-attempts.service.js';
import { type Replay, WebhookReplaysService } from './replay/webhook-replays.service.js';

@ApiTags('webhooks')
@Controller({ path: 'webhook-endpoints/:endpoint_id', version: '1' })
export class WebhookDeliveriesController {
  constructor(
    private readonly replays: WebhookReplaysService,
    private readonly attempts: WebhookAttemptsService,
  ) {}

  @WriteOperation({
    method: 'POST',
    path: 'test',
    response: WebhookTestDto,
    summary: 'Send a test event to a webhook endpoint',
    description: 'An event `webhook_endpoint.test` is delivered to this endpoint alone, in its turn.',
    errors: ['state_conflict'],
  })
  @RequireScope('read')
  async testWebhookEndpoint(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
  ): Promise<WebhookTestDto> {
    return { event_id: await this.replays.test(owner, endpointId) };
  }

  @ListOperation({
    path: 'attempts',
    item: WebhookAttemptDto,
    summary: 'Deliveries that were tried, newest first',
    description: 'Each is kept for 30 days.',
  })
  @RequireScope('read')
  listWebhookAttempts(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
    @Query() query: PageQuery,
  ): Promise<Page<WebhookAttemptDto>> {
    return this.attempts.list(owner, endpointId, query);
  }

  @WriteOperation({
    method: 'POST',
    path: 'replay',
    body: ReplayWebhookEventsBody,
    response: WebhookReplayDto,
    summary: 'Send events again: everything since a time, single ones, or all that failed',
    description: 'Exactly one of the members. Events keep their ids, so a receiver knows those that it has already.',
    errors: ['state_conflict'],
  })
  @RequireScope('read')
  async replayWebhookEvents(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
    @Body() body: ReplayWebhookEventsBody,
  ): Promise<WebhookReplayDto> {
    const replay = replayIn(body);
    const events = await this.replays.replay(owner, endpointId, replay);
    if (replay.what === 'since') return { since: replay.since.toISOString() };
    return events === null ? {} : { events };
  }
}

/** @throws ApiError `invalid_body` unless there is exactly one member. */
function replayIn({ since, event_ids: eventIds, failed }: ReplayWebhookEventsBody): Replay {
  const time = checkedInstant(since);
  const asked: Replay[] = [
    ...(time ? [{ what: 'since' as const, since: time }] : []),
    ...(eventIds ? [{ what: 'events' as const, eventIds }] : []),
    ...(failed ? [{ what: 'failed' as const }] : []),
  ];
  const [replay, ...others] = asked;
  if (replay && others.length === 0) return replay;
  throw new ApiError('invalid_body', 'The body has exactly one of since, event_ids and failed.');
}
