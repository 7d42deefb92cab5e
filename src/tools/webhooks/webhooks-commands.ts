import type { DataSource } from 'typeorm';
import { AuditLog } from '../../modules/accounts/audit/audit-log.js';
import type { EndpointOwner } from '../../modules/webhooks/endpoints/endpoint-owner.js';
import { EndpointSecrets } from '../../modules/webhooks/endpoints/endpoint-secrets.js';
import { WebhookEndpointEntity } from '../../modules/webhooks/endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsService } from '../../modules/webhooks/endpoints/webhook-endpoints.service.js';
import { WebhookReplaysService } from '../../modules/webhooks/replay/webhook-replays.service.js';
import { WebhookSigningKeys } from '../../modules/webhooks/signing/webhook-signing-keys.js';
import type { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import { Clock } from '../../platform/time/clock.js';
import type { ToolResult } from '../operator-tool.js';
import type { WebhooksCommand } from './webhooks-arguments.js';

/** Most endpoints that are listed. */
const LISTED = 200;

/** Runs commands by the service's own rules; the running processes find what was changed by themselves. */
export class WebhooksCommands {
  private readonly clock = new Clock();
  private readonly transactions: Transactions;
  private readonly endpoints: WebhookEndpointsService;
  private readonly keys: WebhookSigningKeys;

  constructor(
    private readonly dataSource: DataSource,
    environment: Environment,
  ) {
    this.transactions = new Transactions(dataSource);
    const sealer = new Sealer(environment);
    const secrets = new EndpointSecrets(sealer);
    const audit = new AuditLog(this.transactions, this.clock, environment);
    this.endpoints = new WebhookEndpointsService(this.transactions, this.clock, environment, secrets, audit);
    this.keys = new WebhookSigningKeys(this.transactions, sealer, this.clock, audit);
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  run(command: WebhooksCommand): Promise<ToolResult> {
    switch (command.name) {
      case 'list':
        return this.list();
      case 'disable':
        return this.disable(command.endpointId);
      case 'replay':
        return this.replay(command.endpointId, command.since);
      case 'rotate-key':
        return this.rotateKey(command.isCompromised);
    }
  }

  private async list(): Promise<ToolResult> {
    const { manager } = this.dataSource;
    const order = { failingSince: { direction: 'ASC', nulls: 'LAST' }, id: 'ASC' } as const;
    const endpoints = await manager.find(WebhookEndpointEntity, { order, take: LISTED });
    const total = await manager.count(WebhookEndpointEntity);
    return {
      json: { endpoints: endpoints.map(wire), total },
      lines: [...endpoints.map(lineOf), `${total} webhook endpoints`],
    };
  }

  private async disable(id: string): Promise<ToolResult> {
    const endpoint = await this.endpoints.disableForOperator(await this.ownerOf(id), id);
    return { json: wire(endpoint), lines: [lineOf(endpoint)] };
  }

  private async replay(id: string, since: Date | null): Promise<ToolResult> {
    const owner = await this.ownerOf(id);
    const replays = new WebhookReplaysService(this.transactions, this.clock, this.endpoints);
    const events = await replays.replay(owner, id, since ? { what: 'since', since } : { what: 'failed' });
    const what = since ? `everything since ${since.toISOString()}` : `${events} events`;
    const json = since ? { since: since.toISOString() } : { events };
    return { json: { endpoint_id: id, ...json }, lines: [`${id}  gets ${what} again`] };
  }

  private async rotateKey(isCompromised: boolean): Promise<ToolResult> {
    const { keyId, signsFrom } = await this.keys.rotate(isCompromised);
    return {
      json: { key_id: keyId, signs_from: signsFrom.toISOString() },
      lines: [`Key ${keyId} is published; it signs from ${signsFrom.toISOString()}.`],
    };
  }

  private async ownerOf(id: string): Promise<EndpointOwner> {
    const endpoint = await this.dataSource.manager.findOneBy(WebhookEndpointEntity, { id });
    if (endpoint) return { accountId: endpoint.accountId, credentialId: null, auditId: null };
    throw new ApiError('not_found', `There is no webhook endpoint "${id}".`, 'List those that there are.');
  }
}

function wire(endpoint: WebhookEndpointEntity) {
  const { id, accountId, credentialId, url, status, disabledReason, waiting, failingSince } = endpoint;
  return {
    id,
    account_id: accountId,
    credential_id: credentialId,
    host: new URL(url).host,
    status,
    disabled_reason: disabledReason,
    waiting,
    failing_since: failingSince?.toISOString() ?? null,
  };
}

function lineOf(endpoint: WebhookEndpointEntity): string {
  const { id, account_id, host, status, disabled_reason, waiting, failing_since } = wire(endpoint);
  const state = disabled_reason === null ? status : `${status} (${disabled_reason})`;
  const failing = failing_since === null ? [] : [`failing since ${failing_since}`];
  return [id, account_id, host, state, `${waiting} waiting`, ...failing].join('  ');
}
