import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { holdQuota } from '../../../platform/quotas/account-quota.js';
import { Clock } from '../../../platform/time/clock.js';
import { accessEvent } from '../../accounts/audit/access-event.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { type Scope, SCOPES } from '../../credentials/scope.js';
import { isUnlimited, type SpendLimits } from '../../credentials/spending/spend-limits.js';
import { spendDetail, SpendPolicies } from '../../credentials/spending/spend-policies.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { endGrant } from './grant-records.js';
import { OAuthGrantEntity } from './oauth-grant.entity.js';

/** An application that a person has connected, over all of its live grants. */
export interface ConnectedApp {
  clientId: string;
  /** Name of the application at the newest consent, chosen by the application. */
  clientName: string;
  /** Host of its metadata document; null = the name is unverified. */
  clientHost: string | null;
  /** Scopes of all its grants together. */
  scopes: Scope[];
  /** Most base units of one funding that it prepares, by its grant with the highest cap; null = no cap. */
  fundingCap: bigint | null;
  connectedAt: Date;
  lastUsedAt: Date | null;
}

/** Most grants of one account, including ended grants that are not deleted yet. */
const MAX_KEPT_GRANTS = 1_000;

/** Stores, lists and revokes the grants that people have given to applications. */
@Injectable()
export class OAuthGrants {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly policies: SpendPolicies,
  ) {}

  /** The applications that have a live grant of the account, the newest connection first. */
  async list(accountId: string): Promise<ConnectedApp[]> {
    const grants = await this.live(accountId);
    const byClient = new Map<string, OAuthGrantEntity[]>();
    for (const grant of grants) byClient.set(grant.clientId, [...(byClient.get(grant.clientId) ?? []), grant]);
    return [...byClient.values()].map(connectedApp);
  }

  /** The cap of one application, as in `list`; null: no cap, or no live grant. */
  async capOf(accountId: string, clientId: string): Promise<bigint | null> {
    return freestCap(await this.live(accountId, clientId));
  }

  /** Ends all grants of one application; its tokens stop at once in all processes. Without grants it does nothing. */
  async revokeApp(accountId: string, clientId: string, auditId: string | null): Promise<void> {
    await this.transactions.run(async () => {
      for (const { id } of await this.live(accountId, clientId)) await this.revoke(id, auditId);
    });
  }

  /** Ends one grant. @returns false when the grant does not exist or has ended before. */
  revoke(grantId: string, auditId: string | null): Promise<boolean> {
    return this.transactions.run(async () => {
      const ended = await endGrant(this.transactions, grantId, this.clock.wall());
      if (ended === null) return false;
      const detail = { by: auditId === null ? 'operator' : 'account' };
      await this.audit.record({ event: 'grant_revoked', requestId: auditId, ...ended, credentialId: grantId, detail });
      return true;
    });
  }

  /**
   * Stores a grant with its audit row, in the transaction of the library's own record.
   * @param limits what the person has limited all payments of the application to; null: as it was.
   * @throws ApiError `quota_exceeded`.
   */
  async record(grant: OAuthGrantEntity, auditId: string, limits: SpendLimits | null = null): Promise<void> {
    await this.transactions.run(async (manager) => {
      await holdQuota(manager, {
        accountId: grant.accountId,
        name: 'grants',
        limit: MAX_KEPT_GRANTS,
        adding: 1,
        unit: 'permissions of applications, those included that have ended',
        frees: 'A permission is deleted 30 days after its end.',
        used: () => manager.countBy(OAuthGrantEntity, { accountId: grant.accountId }),
      });
      await manager.insert(OAuthGrantEntity, grant);
      if (limits !== null) await this.policies.consent(grant.accountId, grant.clientId, limits);
      await this.audit.record({
        event: 'consent_given',
        requestId: auditId,
        accountId: grant.accountId,
        clientId: grant.clientId,
        credentialId: grant.id,
        detail: {
          scopes: grant.scopes,
          funding_cap: grant.fundingCap?.toString() ?? null,
          ...(limits === null || isUnlimited(limits) ? {} : { limits: spendDetail(limits) }),
        },
      });
      await recordEvents(manager, [appConnected(grant)]);
    });
  }

  private live(accountId: string, clientId?: string): Promise<OAuthGrantEntity[]> {
    return this.transactions.manager.find(OAuthGrantEntity, {
      where: {
        accountId,
        ...(clientId === undefined ? {} : { clientId }),
        revokedAt: IsNull(),
        expiresAt: MoreThan(this.clock.wall()),
      },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }
}

function appConnected({ id, accountId, scopes, fundingCap, createdAt, expiresAt }: OAuthGrantEntity) {
  return accessEvent(
    'app.connected',
    { accountId, id, at: createdAt },
    {
      scopes: [...scopes],
      expires_at: expiresAt.toISOString(),
      ...(fundingCap === null ? {} : { funding_cap: MoneyDto.from(fundingCap) }),
    },
  );
}

/** @param grants grants of one client, newest first; at least one. */
function connectedApp(grants: readonly OAuthGrantEntity[]): ConnectedApp {
  const [newest] = grants;
  if (!newest) throw new Error('A connected application has a grant');
  const uses = grants.flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
  return {
    clientId: newest.clientId,
    clientName: newest.clientName,
    clientHost: newest.clientHost,
    scopes: SCOPES.filter((scope) => grants.some(({ scopes }) => scopes.includes(scope))),
    fundingCap: freestCap(grants),
    connectedAt: new Date(Math.min(...grants.map(({ createdAt }) => createdAt.getTime()))),
    lastUsedAt: uses.length === 0 ? null : new Date(Math.max(...uses)),
  };
}

/** The highest cap, because the application may use any of its grants; null when one has none, or there are none. */
function freestCap(grants: readonly OAuthGrantEntity[]): bigint | null {
  let freest: bigint | null = null;
  for (const { fundingCap } of grants) {
    if (fundingCap === null) return null;
    if (freest === null || fundingCap > freest) freest = fundingCap;
  }
  return freest;
}
