import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation, ReadOperation, WriteOperation } from '../../platform/operations/operation.decorators.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { PageQuery } from '../../platform/operations/page.query.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import { Clock } from '../../platform/time/clock.js';
import { RequireScope } from '../credentials/scope.js';
import { CreateWebhookEndpointBody, UpdateWebhookEndpointBody } from './dto/webhook-bodies.js';
import { CurrentOwner, type EndpointOwner } from './endpoints/endpoint-owner.js';
import { WebhookEndpointDto, WebhookEndpointWithSecretDto } from './dto/webhook-endpoint.dto.js';
import type { WebhookEndpointEntity } from './endpoints/webhook-endpoint.entity.js';
import { AFTER_ALL_ENDPOINTS, MAX_ENDPOINTS, WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';

@ApiTags('webhooks')
@Controller({ path: 'webhook-endpoints', version: '1' })
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  @WriteOperation({
    method: 'POST',
    body: CreateWebhookEndpointBody,
    response: WebhookEndpointWithSecretDto,
    summary: 'Have events sent to an address, from now on',
    description:
      'What this credential may read of events is sent by POST, signed as Standard Webhooks says. The endpoint belongs to ' +
      `the credential and ends with it. An account has at most ${MAX_ENDPOINTS}. The secret is shown in this answer alone.`,
    errors: ['quota_exceeded'],
  })
  @RequireScope('read')
  async createWebhookEndpoint(
    @CurrentOwner() owner: EndpointOwner,
    @Body() body: CreateWebhookEndpointBody,
  ): Promise<WebhookEndpointWithSecretDto> {
    const { endpoint, secret } = await this.endpoints.create(owner, body);
    return Object.assign(this.shown(endpoint), { secret });
  }

  @ListOperation({
    item: WebhookEndpointDto,
    summary: 'Webhook endpoints of this credential, newest first',
    description: 'Those of other credentials of the account are not shown.',
  })
  @RequireScope('read')
  async listWebhookEndpoints(
    @CurrentOwner() owner: EndpointOwner,
    @Query() { cursor, limit }: PageQuery,
  ): Promise<Page<WebhookEndpointDto>> {
    const { accountId, credentialId } = owner;
    const binding = { accountId, operationId: 'listWebhookEndpoints', filters: { credential: credentialId ?? '' } };
    const [below = AFTER_ALL_ENDPOINTS] = cursor === undefined ? [] : this.cursors.open(binding, cursor);
    const rows = await this.endpoints.list(owner, below, limit + 1);
    const seal = (position: readonly string[]) => this.cursors.seal(binding, position);
    return pageOf(
      rows,
      limit,
      (row) => this.shown(row),
      ({ id }) => [id],
      seal,
    );
  }

  @ReadOperation({
    path: ':endpoint_id',
    response: WebhookEndpointDto,
    summary: 'One webhook endpoint',
    description: 'Without its secret. An endpoint of another credential is a 404.',
  })
  @RequireScope('read')
  async getWebhookEndpoint(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
  ): Promise<WebhookEndpointDto> {
    return this.shown(await this.endpoints.get(owner, endpointId));
  }

  @WriteOperation({
    method: 'PATCH',
    path: ':endpoint_id',
    body: UpdateWebhookEndpointBody,
    response: WebhookEndpointDto,
    summary: 'Change a webhook endpoint, disable it or enable it again',
    description:
      'What is absent stays as it is. Enabled again, it gets what happens from now on; `missed_since` says from when to ' +
      'replay, so that nothing is missing.',
  })
  @RequireScope('read')
  async updateWebhookEndpoint(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
    @Body() body: UpdateWebhookEndpointBody,
  ): Promise<WebhookEndpointDto> {
    return this.shown(await this.endpoints.update(owner, endpointId, body));
  }

  @WriteOperation({
    method: 'DELETE',
    path: ':endpoint_id',
    response: WebhookEndpointDto,
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it. The answer shows it as it was.',
  })
  @RequireScope('read')
  async deleteWebhookEndpoint(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
  ): Promise<WebhookEndpointDto> {
    return this.shown(await this.endpoints.delete(owner, endpointId));
  }

  @WriteOperation({
    method: 'POST',
    path: ':endpoint_id/secret',
    response: WebhookEndpointWithSecretDto,
    summary: 'Give a webhook endpoint a new secret',
    description: 'For 24 hours deliveries are signed with both. The new one is shown in this answer alone.',
  })
  @RequireScope('read')
  async rotateWebhookSecret(
    @CurrentOwner() owner: EndpointOwner,
    @Param('endpoint_id') endpointId: string,
  ): Promise<WebhookEndpointWithSecretDto> {
    const { endpoint, secret } = await this.endpoints.rotate(owner, endpointId);
    return Object.assign(this.shown(endpoint), { secret });
  }

  private shown(endpoint: WebhookEndpointEntity): WebhookEndpointDto {
    return WebhookEndpointDto.from(endpoint, this.clock.now(), this.clock.nowMs() - this.clock.wallMs());
  }
}
