import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { SpendLimits } from '../spending/spend-limits.js';
import { SpendPolicies } from '../spending/spend-policies.js';
import { SpendPolicyReader } from '../spending/spend-policy-reader.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Lowers the spending limits of API keys. */
@Injectable()
export class KeyLimits {
  constructor(
    private readonly transactions: Transactions,
    private readonly reader: SpendPolicyReader,
    private readonly policies: SpendPolicies,
  ) {}

  /**
   * Lowers the limits of a key, and of those that share them.
   * @throws ApiError `not_found`; `state_conflict` when they would be wider: that takes a new key.
   */
  async narrow(accountId: string, keyId: string, limits: SpendLimits, auditId: string): Promise<void> {
    await this.transactions.run(async (manager) => {
      const own = { id: keyId, accountId };
      const key = await manager.findOne(ApiKeyEntity, { where: own, lock: { mode: 'pessimistic_write' } });
      if (!key) throw new ApiError('not_found', 'There is no such API key.');
      const { spendPolicyId } = key;
      const before = spendPolicyId === null ? null : await this.reader.lock(manager, spendPolicyId);
      const id = await this.policies.narrow(manager, before, limits, { accountId, clientId: null, fundingCap: null });
      if (id === null) return;
      if (id !== spendPolicyId) await manager.update(ApiKeyEntity, own, { spendPolicyId: id });
      await this.policies.recordLowered({ accountId, clientId: null, credentialId: keyId }, limits, auditId);
    });
  }
}
