import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { ApiKeyEntity } from '../../credentials/api-keys/api-key.entity.js';
import { ApiKeysService, type CreatedApiKey, type NewApiKey } from '../../credentials/api-keys/api-keys.service.js';
import { KeyLimits } from '../../credentials/api-keys/key-limits.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import { SpendPolicies } from '../../credentials/spending/spend-policies.js';
import { SpendLedger, type SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import type { Scope } from '../../credentials/scope.js';

/** Keys of an account, the newest first. */
export interface OwnKeys {
  live: ApiKeyEntity[];
  /** Revoked or expired; the latest only. */
  ended: ApiKeyEntity[];
  /** What is spent and left of the limits of live keys, by the id of their policy. */
  spending: Map<string, SpendStanding>;
}

/** Number of ended keys that are shown; the table keeps all. */
const ENDED_SHOWN = 20;
const CREATED_BY = 'account page';

/** The API keys of one account, for their owner. No method reaches a key of another account. */
@Injectable()
export class AccountKeys {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
    private readonly ledger: SpendLedger,
    private readonly limits: KeyLimits,
    private readonly policies: SpendPolicies,
  ) {}

  /** Lists the account's keys. Secrets are not stored, so none are returned. */
  async list(accountId: string): Promise<OwnKeys> {
    const now = this.clock.wall();
    const keys = (await this.keys.list(accountId)).reverse();
    const isLive = (key: ApiKeyEntity) => key.revokedAt === null && key.expiresAt > now;
    const live = keys.filter(isLive);
    const policies = await this.policies.findAll(live.flatMap(({ spendPolicyId }) => spendPolicyId ?? []));
    const spending = await this.ledger.standings(policies);
    return { live, ended: keys.filter((key) => !isLive(key)).slice(0, ENDED_SHOWN), spending };
  }

  /** One of the account's keys. @throws ApiError `not_found` for a key of somebody else as for none. */
  async find(accountId: string, keyId: string): Promise<ApiKeyEntity> {
    const key = (await this.keys.list(accountId)).find(({ id }) => id === keyId);
    if (!key) throw new ApiError('not_found', 'There is no such API key.');
    return key;
  }

  /** Creates one key per scope and returns the secrets by scope; fails as `ApiKeysService.create`. */
  createSet(accountId: string, input: Omit<NewApiKey, 'scope'>, auditId: string): Promise<Record<Scope, string>> {
    return this.keys.createKeySet({ id: accountId }, { ...input, createdBy: CREATED_BY, auditId });
  }

  /** Creates one key. Errors as `ApiKeysService.create`. */
  create(accountId: string, input: NewApiKey, auditId: string): Promise<CreatedApiKey> {
    return this.keys.create(accountId, { ...input, createdBy: CREATED_BY, auditId });
  }

  /**
   * Replaces a key. @throws ApiError `not_found` for a key of another account or none; otherwise as
   * `ApiKeysService.roll`.
   */
  roll(accountId: string, keyId: string, overlapHours: number, auditId: string): Promise<CreatedApiKey> {
    return this.keys.rollOwn(accountId, keyId, overlapHours, auditId);
  }

  /** Lowers the limits of a key, and of those that share them. Errors as `KeyLimits.narrow`. */
  lower(accountId: string, keyId: string, limits: SpendLimits, auditId: string): Promise<void> {
    return this.limits.narrow(accountId, keyId, limits, auditId);
  }

  /**
   * Revokes a key; revoking it again is no error. @throws ApiError `not_found` for a key of another account or none.
   */
  async revoke(accountId: string, keyId: string, auditId: string): Promise<void> {
    await this.keys.revokeOwn(accountId, keyId, auditId);
  }
}
