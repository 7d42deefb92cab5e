import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { columnsSql, entityOf } from '../../../platform/database/entity-rows.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { holdQuota } from '../../../platform/quotas/account-quota.js';
import { Clock } from '../../../platform/time/clock.js';
import { type AuditEventName, AuditLog } from '../../accounts/audit/audit-log.js';
import { LOG_END } from '../../events/events.sql-views.js';
import { disableEndpoint } from './disable-endpoint.js';
import { endpointList } from './endpoint-rows.sql.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import type { EndpointOwner } from './endpoint-owner.js';
import { receiverUrl } from './endpoint-url.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** Most endpoints of one account, over all its credentials. (policy) */
export const MAX_ENDPOINTS = 10;
/** For how long the secret of before signs too after it was replaced. */
const OVERLAP_MS = 86_400_000;
/** Above every id. */
export const AFTER_ALL_ENDPOINTS = 'whe_~';

/** What an owner says of an endpoint; absent members stay as they are. */
export interface EndpointChange {
  readonly url?: string | undefined;
  /** Empty: every type. */
  readonly types?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * Makes and changes webhook endpoints. An endpoint belongs to the credential that made it, and no other credential of the
 * account can see or change it: otherwise whoever has found a key could turn the endpoint of another to an address of his
 * own, and would go on hearing when the key is revoked.
 */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly secrets: EndpointSecrets,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Makes an endpoint that gets events from now on, and its secret, which cannot be shown again.
   * @throws ApiError `invalid_body` (the address), `quota_exceeded`.
   */
  create(
    owner: EndpointOwner,
    { url, types, description }: EndpointChange & { url: string },
  ): Promise<{ endpoint: WebhookEndpointEntity; secret: string }> {
    const address = receiverUrl(url, this.environment);
    return this.transactions.run(async (manager) => {
      await this.holdRoom(manager, owner.accountId);
      const now = this.clock.now();
      const id = newId('whe', now.getTime());
      const { shown, sealed } = this.secrets.make(id);
      const endpoint: WebhookEndpointEntity = {
        id,
        accountId: owner.accountId,
        credentialId: owner.credentialId,
        url: address,
        description: description === undefined || description === '' ? null : description,
        types: types === undefined || types.length === 0 ? null : [...types],
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        secretSealed: sealed,
        previousSecretSealed: null,
        previousSecretUntil: null,
        position: await logEnd(manager),
        waiting: 0,
        failedInARow: 0,
        failingSince: null,
        missedFrom: null,
        isSlow: false,
        resumeAt: now,
        servedAt: now,
        leaseHolder: null,
        leaseUntil: null,
        createdAt: now,
        updatedAt: now,
      };
      await manager.insert(WebhookEndpointEntity, endpoint);
      await this.record('webhook_endpoint_created', owner, endpoint);
      return { endpoint, secret: shown };
    });
  }

  /** Up to `rows` endpoints of a credential (for a person: of the account) below an id, newest first. */
  async list(
    { accountId, credentialId }: EndpointOwner,
    below: string,
    rows: number,
  ): Promise<WebhookEndpointEntity[]> {
    const { manager } = this.transactions;
    const statement = endpointList(columnsSql(manager, WebhookEndpointEntity, 'endpoint'), rows);
    const values = [accountId, below, credentialId];
    const found = await this.transactions.lookUp<Record<string, unknown>>(statement, values);
    return found.map((row) => entityOf(manager, WebhookEndpointEntity, row));
  }

  /** @throws ApiError `not_found`, also for an endpoint of another credential. */
  async get(owner: EndpointOwner, id: string): Promise<WebhookEndpointEntity> {
    return found(await this.transactions.manager.findOneBy(WebhookEndpointEntity, which(owner, id)));
  }

  /** As `get`, with the row locked; in a transaction. */
  async lock(manager: EntityManager, owner: EndpointOwner, id: string): Promise<WebhookEndpointEntity> {
    const where = which(owner, id);
    return found(await manager.findOne(WebhookEndpointEntity, { where, lock: { mode: 'pessimistic_write' } }));
  }

  /**
   * Changes an endpoint. One that is enabled again gets what happens from now on: what it has missed may be long over, and
   * is sent when a replay asks for it.
   * @throws ApiError `invalid_body` (the address), `not_found`.
   */
  update(owner: EndpointOwner, id: string, change: EndpointChange): Promise<WebhookEndpointEntity> {
    const { url, types, description, enabled } = change;
    const address = url === undefined ? undefined : receiverUrl(url, this.environment);
    return this.transactions.run(async (manager) => {
      const endpoint = await this.lock(manager, owner, id);
      const now = this.clock.now();
      if (enabled === false) await this.turnOff(manager, owner, endpoint, 'owner');
      const changed: Partial<WebhookEndpointEntity> = {
        ...(address === undefined ? {} : { url: address }),
        ...(types === undefined ? {} : { types: types.length === 0 ? null : [...types] }),
        ...(description === undefined ? {} : { description: description === '' ? null : description }),
        ...(enabled === true ? await this.awakened(manager, endpoint, now) : {}),
        updatedAt: now,
      };
      await manager.update(WebhookEndpointEntity, { id }, changed);
      const { url: before, status } = endpoint;
      Object.assign(endpoint, changed);
      if (url !== undefined || types !== undefined || description !== undefined) {
        await this.record('webhook_endpoint_changed', owner, endpoint, { host_before: new URL(before).host });
      }
      if (enabled === true && status === 'disabled') await this.record('webhook_endpoint_enabled', owner, endpoint);
      return endpoint;
    });
  }

  /** Turns an endpoint off on the operator's word. @throws ApiError `not_found`. */
  disableForOperator(owner: EndpointOwner, id: string): Promise<WebhookEndpointEntity> {
    return this.transactions.run(async (manager) => {
      const endpoint = await this.lock(manager, owner, id);
      await this.turnOff(manager, owner, endpoint, 'operator');
      return endpoint;
    });
  }

  /** Deletes an endpoint and what waits for it; its attempts stay until they are 30 days old. @throws ApiError `not_found`. */
  delete(owner: EndpointOwner, id: string): Promise<WebhookEndpointEntity> {
    return this.transactions.run(async (manager) => {
      const endpoint = await this.lock(manager, owner, id);
      await manager.delete(WebhookEndpointEntity, { id });
      await this.record('webhook_endpoint_deleted', owner, endpoint);
      return endpoint;
    });
  }

  /**
   * Gives an endpoint a new secret. The one of before signs for 24 hours more beside it, and the one before that no longer.
   * @throws ApiError `not_found`.
   */
  rotate(owner: EndpointOwner, id: string): Promise<{ endpoint: WebhookEndpointEntity; secret: string }> {
    return this.transactions.run(async (manager) => {
      const endpoint = await this.lock(manager, owner, id);
      const now = this.clock.now();
      const { shown, sealed } = this.secrets.make(id);
      const changed = {
        secretSealed: sealed,
        previousSecretSealed: endpoint.secretSealed,
        previousSecretUntil: new Date(now.getTime() + OVERLAP_MS),
        updatedAt: now,
      };
      await manager.update(WebhookEndpointEntity, { id }, changed);
      await this.record('webhook_secret_replaced', owner, endpoint);
      return { endpoint: Object.assign(endpoint, changed), secret: shown };
    });
  }

  private async turnOff(
    manager: EntityManager,
    owner: EndpointOwner,
    endpoint: WebhookEndpointEntity,
    by: 'owner' | 'operator',
  ): Promise<void> {
    if (endpoint.status === 'disabled') return;
    await disableEndpoint(manager, endpoint, by, this.clock.now());
    await this.record('webhook_endpoint_disabled', owner, endpoint, { by });
  }

  /** What changes when an endpoint is enabled. For one that failed and was not disabled it only ends the waiting. */
  private async awakened(manager: EntityManager, { status }: WebhookEndpointEntity, now: Date) {
    const rested = { resumeAt: now, failedInARow: 0, isSlow: false };
    if (status === 'enabled') return rested;
    const position = await logEnd(manager);
    return {
      ...rested,
      status: 'enabled' as const,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      position,
    };
  }

  /** Only the host of the address is recorded: the rest may hold a secret of the receiver's. */
  private record(
    event: AuditEventName,
    { accountId, credentialId, auditId }: EndpointOwner,
    { id, url }: WebhookEndpointEntity,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const detail = { endpoint_id: id, host: new URL(url).host, ...more };
    return this.audit.record({ event, requestId: auditId, accountId, credentialId, detail });
  }

  private holdRoom(manager: EntityManager, accountId: string): Promise<void> {
    return holdQuota(manager, {
      accountId,
      name: 'webhook-endpoints',
      limit: MAX_ENDPOINTS,
      adding: 1,
      unit: 'webhook endpoints, over all its credentials',
      frees: 'Delete one; those of a credential that has ended go within a minute.',
      used: () => manager.countBy(WebhookEndpointEntity, { accountId }),
    });
  }
}

function which({ accountId, credentialId }: EndpointOwner, id: string) {
  return { id, accountId, ...(credentialId === null ? {} : { credentialId }) };
}

function found(endpoint: WebhookEndpointEntity | null): WebhookEndpointEntity {
  if (!endpoint) throw new ApiError('not_found', 'There is no such webhook endpoint.');
  return endpoint;
}

async function logEnd(manager: EntityManager): Promise<string> {
  const [row] = await runPrepared<{ last: string }>(manager, LOG_END, []);
  if (!row) throw new Error('The log has no head');
  return row.last;
}
