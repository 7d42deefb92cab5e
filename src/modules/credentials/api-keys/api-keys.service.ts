import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { hidesText, newId } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { holdQuota } from '../../../platform/quotas/account-quota.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';
import type { AccountEntity } from '../../accounts/account.entity.js';
import { accessEvent } from '../../accounts/audit/access-event.js';
import { type AuditEventName, AuditLog } from '../../accounts/audit/audit-log.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { lockAccount } from '../../accounts/locked-account.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { type Scope, SCOPES } from '../scope.js';
import { mintApiKey, visibleParts } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { NO_LIMITS, type SpendLimits } from '../spending/spend-limits.js';
import { SpendPolicies, spendDetail } from '../spending/spend-policies.js';
import { KeyNetworks } from './key-networks.js';

/** Input for a new key. */
export interface NewApiKey {
  scope: Scope;
  /** 1 to 120 characters, for its owner. */
  name: string;
  /** 1 to 365; 90 when absent. */
  days?: number;
  /** Networks it may be used from; absent = any. */
  cidrs?: readonly string[];
  /** What the wallet may be asked to pay with it; absent: no limits. */
  limits?: SpendLimits;
  /** Who makes the key, for the audit record; `operator` when absent. */
  createdBy?: string;
  /** Request id for the audit record; absent or null = an operator's command. */
  auditId?: string | null;
}

/** A new key and its secret. The secret is not stored and cannot be shown again. */
export interface CreatedApiKey {
  key: ApiKeyEntity;
  secret: string;
}

/** Which key; without an account, of any account. */
interface WhichKey {
  id: string;
  accountId?: string;
}

/** Longest name of a key, in characters. */
export const MAX_KEY_NAME = 120;
export const MAX_KEY_DAYS = 365;
export const MAX_OVERLAP_HOURS = 7 * 24;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DEFAULT_DAYS = 90;
const DEFAULT_OVERLAP_HOURS = 24;
const MAX_LIVE_KEYS = 10;
/** Most keys of one account, including ended keys that are not deleted yet. */
const MAX_KEPT_KEYS = 200;

/** Makes, rolls and revokes API keys (docs/decisions/http.md#api-keys). Each has one scope for life. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly policies: SpendPolicies,
  ) {}

  /**
   * Creates a key. @throws ApiError `invalid_parameter`, `not_found` (account), `state_conflict` (10 live keys of this
   * scope), `quota_exceeded`.
   */
  create(accountId: string, input: NewApiKey): Promise<CreatedApiKey> {
    return this.transactions.run(async (manager) => {
      const policyId = await this.policyFor(manager, accountId, input);
      return this.createUnder(policyId, accountId, input);
    });
  }

  /**
   * Makes the policy of keys that are about to be made; null when nothing is limited. Locks the account before, because the
   * policy refers to it: two requests that had both referred to it could then neither lock it.
   */
  private async policyFor(
    manager: EntityManager,
    accountId: string,
    { limits = NO_LIMITS }: Pick<NewApiKey, 'limits'>,
  ): Promise<string | null> {
    await lockAccount(manager, accountId);
    return this.policies.forKeys(accountId, limits);
  }

  private async createUnder(spendPolicyId: string | null, accountId: string, input: NewApiKey): Promise<CreatedApiKey> {
    const { scope, name, days = DEFAULT_DAYS, cidrs, limits, createdBy = 'operator', auditId = null } = input;
    assertWithin('The life of a key in days', days, 1, MAX_KEY_DAYS);
    assertWithin('The length of a key name', name.trim().length, 1, MAX_KEY_NAME);
    if (hidesText(name)) {
      throw new ApiError('invalid_parameter', 'The name of a key holds no characters that cannot be seen.');
    }
    if (cidrs) new KeyNetworks(cidrs);
    return this.transactions.run(async (manager) => {
      await this.assertRoom(manager, accountId, scope);
      const now = this.clock.wall();
      const created = await this.insert(manager, {
        accountId,
        scope,
        name: name.trim(),
        cidrs: cidrs ? [...cidrs] : null,
        spendPolicyId,
        createdBy,
        createdAt: now,
        expiresAt: new Date(now.getTime() + days * DAY_MS),
        pinnedVersion: CURRENT_VERSION,
      });
      const { name: keptName, expiresAt: expires_at } = created.key;
      const limited = limits === undefined || spendPolicyId === null ? {} : { limits: spendDetail(limits) };
      const detail = { by: createdBy, scope, name: keptName, expires_at, ...limited };
      await this.record('api_key_created', created.key, auditId, detail);
      await recordEvents(manager, [keyCreated(created.key)]);
      return created;
    });
  }

  /**
   * Creates one key per scope, all or none, and returns the secrets by scope. A script usually needs more than one
   * scope. Limits are for the four together. Errors as `create`.
   */
  createKeySet(account: Pick<AccountEntity, 'id'>, input: Omit<NewApiKey, 'scope'>): Promise<Record<Scope, string>> {
    return this.transactions.run(async (manager) => {
      const policyId = await this.policyFor(manager, account.id, input);
      const secretOf = async (scope: Scope) =>
        (await this.createUnder(policyId, account.id, { ...input, scope })).secret;
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

  /** Keys of an account that work now, oldest first; without their secrets. */
  listLive(accountId: string): Promise<ApiKeyEntity[]> {
    const where = { accountId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.wall()) };
    return this.transactions.manager.find(ApiKeyEntity, { where, order: { id: 'ASC' } });
  }

  /**
   * Replaces a live key by a new one with the same account, scope, name, networks, version and lifetime. The old key
   * ends after `overlapHours` (0 to 168; 24 when absent), or at its own expiry if that is earlier.
   * @param auditId request id; null for the operator's command.
   * @throws ApiError `invalid_parameter`, `not_found` or `state_conflict` (not live, or too many).
   */
  roll(keyId: string, overlapHours = DEFAULT_OVERLAP_HOURS, auditId: string | null = null): Promise<CreatedApiKey> {
    return this.replace({ id: keyId }, overlapHours, auditId);
  }

  /** As `roll`, for the account itself: a key of another account is `not_found`. */
  rollOwn(
    accountId: string,
    keyId: string,
    overlapHours = DEFAULT_OVERLAP_HOURS,
    auditId: string | null = null,
  ): Promise<CreatedApiKey> {
    return this.replace({ id: keyId, accountId }, overlapHours, auditId);
  }

  /** Revokes a key at once, in all processes; revoking it again is no error. @throws ApiError `not_found`. */
  revoke(keyId: string, auditId: string | null = null): Promise<ApiKeyEntity> {
    return this.end({ id: keyId }, auditId);
  }

  /** As `revoke`, for the account itself: a key of another account is `not_found`. */
  revokeOwn(accountId: string, keyId: string, auditId: string | null = null): Promise<ApiKeyEntity> {
    return this.end({ id: keyId, accountId }, auditId);
  }

  private async replace(which: WhichKey, overlapHours: number, auditId: string | null): Promise<CreatedApiKey> {
    assertWithin('The overlap in hours', overlapHours, 0, MAX_OVERLAP_HOURS);
    return this.transactions.run(async (manager) => {
      const old = await this.lock(manager, which);
      const now = this.clock.wall();
      if (old.revokedAt || old.expiresAt <= now) throw new ApiError('state_conflict', 'Only a live key can be rolled.');
      await this.assertRoom(manager, old.accountId, old.scope);
      const created = await this.insert(manager, {
        accountId: old.accountId,
        scope: old.scope,
        name: old.name,
        cidrs: old.cidrs,
        // The successor goes on with the same limits and what was spent of them, also while both keys work.
        spendPolicyId: old.spendPolicyId,
        createdBy: old.createdBy,
        createdAt: now,
        expiresAt: new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
        pinnedVersion: old.pinnedVersion,
      });
      const end = new Date(Math.min(old.expiresAt.getTime(), now.getTime() + overlapHours * HOUR_MS));
      await manager.update(ApiKeyEntity, { id: old.id }, { expiresAt: end });
      await announceCredentialChange(this.transactions, old.id);
      const detail = { scope: old.scope, name: old.name, replaced_by: created.key.id, old_ends_at: end };
      await this.record('api_key_rolled', old, auditId, detail);
      await recordEvents(manager, [keyCreated(created.key, { id: old.id, until: end })]);
      return created;
    });
  }

  private end(which: WhichKey, auditId: string | null): Promise<ApiKeyEntity> {
    return this.transactions.run(async (manager) => {
      const key = await this.lock(manager, which);
      if (key.revokedAt) return key;
      const revokedAt = this.clock.wall();
      await manager.update(ApiKeyEntity, { id: key.id }, { revokedAt });
      await announceCredentialChange(this.transactions, key.id);
      await this.record('api_key_revoked', key, auditId, { scope: key.scope, name: key.name });
      const change = { accountId: key.accountId, id: key.id, at: revokedAt };
      await recordEvents(manager, [accessEvent('api_key.revoked', change, { scopes: [key.scope] })]);
      return Object.assign(key, { revokedAt });
    });
  }

  private async lock(manager: EntityManager, which: WhichKey): Promise<ApiKeyEntity> {
    const key = await manager.findOne(ApiKeyEntity, { where: which, lock: { mode: 'pessimistic_write' } });
    if (!key) throw new ApiError('not_found', 'There is no such API key.');
    return key;
  }

  /**
   * Checks the account's limits. Locks the account's row, so that two concurrent requests cannot both make the tenth
   * key.
   */
  private async assertRoom(manager: EntityManager, accountId: string, scope: Scope): Promise<void> {
    await lockAccount(manager, accountId);
    await holdQuota(manager, {
      accountId,
      name: 'api-keys',
      limit: MAX_KEPT_KEYS,
      adding: 1,
      unit: 'API keys, those included that have ended',
      frees: 'A key is deleted 30 days after its end.',
      used: () => manager.countBy(ApiKeyEntity, { accountId }),
    });
    const live = { accountId, scope, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.wall()) };
    if ((await manager.countBy(ApiKeyEntity, live)) < MAX_LIVE_KEYS) return;
    throw new ApiError(
      'state_conflict',
      `The account has ${MAX_LIVE_KEYS} live keys of scope "${scope}" already.`,
      'Revoke one that is no longer used.',
    );
  }

  private record(
    event: AuditEventName,
    { id, accountId }: ApiKeyEntity,
    requestId: string | null,
    detail: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.audit.record({ event, requestId, accountId, credentialId: id, detail });
  }

  private async insert(
    manager: EntityManager,
    values: Omit<ApiKeyEntity, 'id' | 'prefix' | 'last4' | 'secretHash' | 'pepperVersion' | 'revokedAt' | 'lastUsedAt'>,
  ): Promise<CreatedApiKey> {
    const secret = mintApiKey(this.environment.keyEnvironment, values.scope, this.sealer);
    const key: ApiKeyEntity = {
      ...values,
      ...visibleParts(secret),
      id: newId('key', values.createdAt.getTime()),
      secretHash: this.sealer.hmac('api-key-pepper', secret),
      pepperVersion: this.sealer.keyNumber('api-key-pepper'),
      revokedAt: null,
      lastUsedAt: null,
    };
    await manager.insert(ApiKeyEntity, key);
    return { key, secret };
  }
}

/** @param old the key that the new one replaces, and until when both work */
function keyCreated({ id, accountId, scope, createdAt, expiresAt }: ApiKeyEntity, old?: { id: string; until: Date }) {
  return accessEvent(
    'api_key.created',
    { accountId, id, at: createdAt },
    {
      scopes: [scope],
      expires_at: expiresAt.toISOString(),
      ...(old === undefined ? {} : { replaces: old.id, replaced_until: old.until.toISOString() }),
    },
  );
}

function assertWithin(what: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ApiError('invalid_parameter', `${what} must be a whole number from ${min} to ${max}.`);
}
