import { Injectable } from '@nestjs/common';
import { type ConnectedApp, OAuthGrants } from '../../oauth/storage/oauth-grants.js';
import { AppActivity, type PreparedCount } from '../../prepared-actions/lifecycle/app-activity.js';

/** A connected application with what it has done. */
export interface ActiveApp extends ConnectedApp {
  /** Number of actions that the application prepared for this account, counted up to a bound; null = none. */
  activity: PreparedCount | null;
}

/** The applications that may act for a person. */
@Injectable()
export class ConnectedApps {
  constructor(
    private readonly grants: OAuthGrants,
    private readonly activity: AppActivity,
  ) {}

  /** The newest connection first. */
  async list(accountId: string): Promise<ActiveApp[]> {
    const [apps, counts] = await Promise.all([this.grants.list(accountId), this.activity.preparedCounts(accountId)]);
    return apps.map((app) => ({ ...app, activity: counts.get(app.clientId) ?? null }));
  }

  /** Revokes all access of the application; doing so again is no error. */
  revoke(accountId: string, clientId: string, auditId: string): Promise<void> {
    return this.grants.revokeApp(accountId, clientId, auditId);
  }
}
