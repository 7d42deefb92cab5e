import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import { SpendPolicies } from '../../credentials/spending/spend-policies.js';
import { SpendLedger, type SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import { type ConnectedApp, OAuthGrants } from '../../oauth/storage/oauth-grants.js';
import { AppActivity, type PreparedCount } from '../../prepared-actions/lifecycle/app-activity.js';

/** A connected application with what it has done. */
export interface ActiveApp extends ConnectedApp {
  /** Number of actions that the application prepared for this account, counted up to a bound; null = none. */
  activity: PreparedCount | null;
  /** What is spent and left of its limits; null: it has none. */
  spending: SpendStanding | null;
}

/** The applications that may act for a person. */
@Injectable()
export class ConnectedApps {
  constructor(
    private readonly grants: OAuthGrants,
    private readonly activity: AppActivity,
    private readonly policies: SpendPolicies,
    private readonly ledger: SpendLedger,
  ) {}

  /** The newest connection first. */
  async list(accountId: string): Promise<ActiveApp[]> {
    const [apps, counts, policies] = await Promise.all([
      this.grants.list(accountId),
      this.activity.preparedCounts(accountId),
      this.policies.ofApps(accountId),
    ]);
    const policyOf = ({ clientId }: ConnectedApp) => policies.get(clientId);
    const spending = await this.ledger.standings(apps.flatMap((app) => policyOf(app) ?? []));
    return apps.map((app) => {
      const policy = policyOf(app);
      return {
        ...app,
        activity: counts.get(app.clientId) ?? null,
        spending: policy === undefined ? null : (spending.get(policy.id) ?? null),
      };
    });
  }

  /**
   * Lowers the limits of a connected application; of any other there are none to keep.
   * @throws ApiError `not_found`; else as `SpendPolicies.narrowApp`.
   */
  async lower(accountId: string, clientId: string, limits: SpendLimits, auditId: string): Promise<void> {
    const apps = await this.grants.list(accountId);
    const app = apps.find((each) => each.clientId === clientId);
    if (!app) throw new ApiError('not_found', 'This application is not connected.');
    await this.policies.narrowApp({ accountId, clientId, fundingCap: app.fundingCap }, limits, auditId);
  }

  /** Revokes all access of the application; doing so again is no error. */
  revoke(accountId: string, clientId: string, auditId: string): Promise<void> {
    return this.grants.revokeApp(accountId, clientId, auditId);
  }
}
