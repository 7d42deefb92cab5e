import { Injectable } from '@nestjs/common';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import type { Scope } from '../../credentials/scope.js';
import { LIFETIMES } from '../protocol/oauth-lifetimes.js';
import { OAuthGrants } from '../storage/oauth-grants.js';
import { askingClient } from './pending-authorization.js';
import { permissionsIn, technicalScopesIn } from '../protocol/requested-scopes.js';

/** A person's consent. */
export interface ConsentDecision {
  /** One or more of the requested scopes. */
  scopes: readonly Scope[];
  /** What all payments of the application are limited to; the limit of one is the cap of the grant. Null: as it was. */
  limits: SpendLimits | null;
}

/** Stores a consent twice: as the library's grant, to which its tokens belong, and as this service's own record. */
@Injectable()
export class GivenConsents {
  constructor(
    private readonly grants: OAuthGrants,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a consent in the caller's transaction. Resolves to the grant's id.
   * @throws ApiError `invalid_request` when no scope is allowed, or one that was not requested.
   */
  async write(
    provider: Provider,
    interaction: Interaction,
    client: Client,
    { scopes, limits }: ConsentDecision,
    auditId: string,
  ): Promise<string> {
    const { params, session, prompt } = interaction;
    const asked = permissionsIn(params['scope']);
    if (scopes.length === 0 || !scopes.every((scope) => asked.includes(scope))) {
      throw new ApiError(
        'invalid_request',
        'Only what the application asked for can be allowed, and at least one of it.',
      );
    }
    if (session === undefined) throw new Error('Nobody is signed in who could consent');
    const { accountId } = session;
    const denied = asked.filter((scope) => !scopes.includes(scope));
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope([...technicalScopesIn(params['scope']), ...scopes]);
    // Refused scopes are stored, too; otherwise the library would ask again.
    if (denied.length > 0) grant.rejectOIDCScope(denied);
    for (const resource of resourcesOf(prompt.details)) {
      grant.addResourceScope(resource, [...scopes]);
      if (denied.length > 0) grant.rejectResourceScope(resource, denied);
    }
    const id = await grant.save();
    const createdAt = this.clock.wall();
    const { name, host } = askingClient(client, params['redirect_uri']);
    await this.grants.record(
      {
        id,
        accountId,
        clientId: client.clientId,
        clientName: name,
        clientHost: host,
        scopes: asked.filter((scope) => scopes.includes(scope)),
        fundingCap: limits?.perPayment ?? null,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LIFETIMES.Grant * 1000),
        lastUsedAt: null,
        revokedAt: null,
      },
      auditId,
      limits,
    );
    return id;
  }
}

/** Resource names in the application's request; all stand for this service (see OAuthConfiguration). */
function resourcesOf({ missingResourceScopes: missing }: Readonly<Record<string, unknown>>): string[] {
  return typeof missing === 'object' && missing !== null ? Object.keys(missing) : [];
}
