import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { newId } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { announceCredentialChange } from '../credential-changes.js';
import { type Scope, SCOPES } from '../scope.js';
import { mintApiKey, visibleParts } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyNetworks } from './key-networks.js';

/** What a key is made of. */
export interface NewApiKey {
  scope: Scope;
  /** 1 to 120 characters, for its owner. */
  name: string;
  /** 1 to 365; 90 when absent. */
  days?: number;
  /** Networks it may be used from; absent = any. */
  cidrs?: readonly string[];
  /** Who made it, for the record. */
  createdBy?: string;
}

/** A new key. The secret is shown now and never again. */
export interface CreatedApiKey {
  key: ApiKeyEntity;
  secret: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;
const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 7 * 24;
const MAX_LIVE_KEYS = 10;
const MAX_NAME = 120;
const PEPPER_VERSION = 1;

/** Makes, rolls and revokes API keys (http-and-auth.md §5). Each has one scope for life. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `invalid_parameter`, `not_found` (account) or `state_conflict` (10 live keys of this scope). */
  async create(accountId: string, input: NewApiKey): Promise<CreatedApiKey> {
    const { scope, name, days = DEFAULT_DAYS, cidrs, createdBy = 'operator' } = input;
    assertWithin('The life of a key in days', days, 1, MAX_DAYS);
    assertWithin('The length of a key name', name.trim().length, 1, MAX_NAME);
    if (cidrs) new KeyNetworks(cidrs);
    return this.transactions.run(async (manager) => {
      await this.assertRoom(manager, accountId, scope);
      const now = this.clock.now();
      return this.insert(manager, {
        accountId,
        scope,
        name: name.trim(),
        cidrs: cidrs ? [...cidrs] : null,
        createdBy,
        createdAt: now,
        expiresAt: new Date(now.getTime() + days * DAY_MS),
        pinnedVersion: CURRENT_VERSION,
      });
    });
  }

  /** One key per scope, because a script usually needs two; all or none. Errors as `create`. */
  createKeySet(account: Pick<AccountEntity, 'id'>, input: Omit<NewApiKey, 'scope'>): Promise<Record<Scope, string>> {
    return this.transactions.run(async () => {
      const secretOf = async (scope: Scope) => (await this.create(account.id, { ...input, scope })).secret;
      return {
        read: await secretOf('read'),
        buyer: await secretOf('buyer'),
        worker: await secretOf('worker'),
        'agent-owner': await secretOf('agent-owner'),
      } satisfies Record<(typeof SCOPES)[number], string>;
    });
  }

  /** Keys without their secrets, oldest first; of one account or of all. */
  list(accountId?: string): Promise<ApiKeyEntity[]> {
    const where = accountId === undefined ? {} : { accountId };
    return this.transactions.manager.find(ApiKeyEntity, { where, order: { id: 'ASC' } });
  }

  /**
   * A new key in place of a live one, with the same account, scope, name, networks, version and length of life. The
   * old one ends after `overlapHours` (0 to 168; 24 when absent), or earlier if it would have anyway.
   * @throws ApiError `invalid_parameter`, `not_found` or `state_conflict` (not live, or too many).
   */
  async roll(keyId: string, overlapHours = DEFAULT_OVERLAP_HOURS): Promise<CreatedApiKey> {
    assertWithin('The overlap in hours', overlapHours, 0, MAX_OVERLAP_HOURS);
    return this.transactions.run(async (manager) => {
      const old = await this.lock(manager, keyId);
      const now = this.clock.now();
      if (old.revokedAt || old.expiresAt <= now) throw new ApiError('state_conflict', 'Only a live key can be rolled.');
      await this.assertRoom(manager, old.accountId, old.scope);
      const created = await this.insert(manager, {
        accountId: old.accountId,
        scope: old.scope,
        name: old.name,
        cidrs: old.cidrs,
        createdBy: old.createdBy,
        createdAt: now,
        expiresAt: new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
        pinnedVersion: old.pinnedVersion,
      });
      const end = Math.min(old.expiresAt.getTime(), now.getTime() + overlapHours * HOUR_MS);
      await manager.update(ApiKeyEntity, { id: keyId }, { expiresAt: new Date(end) });
      await announceCredentialChange(manager, keyId);
      return created;
    });
  }

  /** Stops a key at once, in all processes; again is no error. @throws ApiError `not_found`. */
  revoke(keyId: string): Promise<ApiKeyEntity> {
    return this.transactions.run(async (manager) => {
      const key = await this.lock(manager, keyId);
      if (key.revokedAt) return key;
      const revokedAt = this.clock.now();
      await manager.update(ApiKeyEntity, { id: keyId }, { revokedAt });
      await announceCredentialChange(manager, keyId);
      return Object.assign(key, { revokedAt });
    });
  }

  private async lock(manager: EntityManager, keyId: string): Promise<ApiKeyEntity> {
    const key = await manager.findOne(ApiKeyEntity, { where: { id: keyId }, lock: { mode: 'pessimistic_write' } });
    if (!key) throw new ApiError('not_found', 'There is no such API key.');
    return key;
  }

  /** The account's row is locked, so that two at once cannot both be the tenth. */
  private async assertRoom(manager: EntityManager, accountId: string, scope: Scope): Promise<void> {
    const account = await manager.findOne(AccountEntity, {
      where: { id: accountId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!account) throw new ApiError('not_found', 'There is no such account.');
    const live = { accountId, scope, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) };
    if ((await manager.countBy(ApiKeyEntity, live)) < MAX_LIVE_KEYS) return;
    throw new ApiError(
      'state_conflict',
      `The account has ${MAX_LIVE_KEYS} live keys of scope "${scope}" already.`,
      'Revoke one that is no longer used.',
    );
  }

  private async insert(
    manager: EntityManager,
    values: Omit<ApiKeyEntity, 'id' | 'prefix' | 'last4' | 'secretHash' | 'pepperVersion' | 'revokedAt' | 'lastUsedAt'>,
  ): Promise<CreatedApiKey> {
    const secret = mintApiKey(this.environment.keyEnvironment, values.scope);
    const key: ApiKeyEntity = {
      ...values,
      ...visibleParts(secret),
      id: newId('key', values.createdAt.getTime()),
      secretHash: this.sealer.hmac('api-key-pepper', secret),
      pepperVersion: PEPPER_VERSION,
      revokedAt: null,
      lastUsedAt: null,
    };
    await manager.insert(ApiKeyEntity, key);
    return { key, secret };
  }
}

function assertWithin(what: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ApiError('invalid_parameter', `${what} must be a whole number from ${min} to ${max}.`);
}
