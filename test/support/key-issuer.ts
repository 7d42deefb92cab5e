import type { DataSource } from 'typeorm';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import { SpendPolicies } from '../../src/modules/credentials/spending/spend-policies.js';
import { AuditLog } from '../../src/modules/accounts/audit/audit-log.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { Sealer } from '../../src/platform/secrets/sealer.js';
import { Clock } from '../../src/platform/time/clock.js';

/** A service that makes API keys in the database of a service which runs in another process. */
export function keyIssuer(dataSource: DataSource, environment: Environment): ApiKeysService {
  const transactions = new Transactions(dataSource);
  const clock = new Clock();
  const audit = new AuditLog(transactions, clock);
  const policies = new SpendPolicies(transactions, clock, audit);
  return new ApiKeysService(transactions, new Sealer(environment), environment, clock, audit, policies);
}
