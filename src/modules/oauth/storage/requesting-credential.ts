import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { ApiKeyEntity } from '../../credentials/api-keys/api-key.entity.js';
import { OAuthGrantEntity } from './oauth-grant.entity.js';
import { SpendPolicies } from '../../credentials/spending/spend-policies.js';
import type { Scope } from '../../credentials/scope.js';

/** The credential that requested something, in its present state. Other parties chose the names. */
export interface RequestingCredential {
  kind: 'application' | 'key';
  name: string;
  /** Host of the application's metadata document; null: none. */
  host: string | null;
  /** False once it was revoked or has expired. */
  isLive: boolean;
  /** Scopes of the credential. */
  scopes: readonly Scope[];
  /** Most base units of one funding that it requests; null: no cap. */
  fundingCap: bigint | null;
  /** The application; null for a key. */
  clientId: string | null;
  /** What limits the payments that a key requests; null for an application, and where nothing does. */
  keyPolicyId: string | null;
}

/**
 * Looks up the credential that made a request: to show it to the person who decides, and before the request is repeated
 * for it.
 */
@Injectable()
export class RequestingCredentials {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly policies: SpendPolicies,
  ) {}

  /** Finds an API key or an application's grant of the account; null when there is no such credential. */
  async find(accountId: string, credentialId: string): Promise<RequestingCredential | null> {
    const { manager } = this.transactions;
    const own = { id: credentialId, accountId };
    const key = await manager.findOneBy(ApiKeyEntity, own);
    if (key) {
      const { name, scope, spendPolicyId } = key;
      return {
        kind: 'key',
        name,
        host: null,
        isLive: this.isLive(key),
        scopes: [scope],
        fundingCap: null,
        clientId: null,
        keyPolicyId: spendPolicyId,
      };
    }
    const grant = await manager.findOneBy(OAuthGrantEntity, own);
    if (!grant) return null;
    const { clientId, clientName: name, clientHost: host, scopes, fundingCap } = grant;
    const isLive = this.isLive(grant);
    return { kind: 'application', name, host, isLive, scopes, fundingCap, clientId, keyPolicyId: null };
  }

  /** The id of what limits the payments that a credential of the account requests; null: nothing does. */
  async spendPolicyOf(
    accountId: string,
    { clientId, keyPolicyId }: Pick<RequestingCredential, 'clientId' | 'keyPolicyId'>,
  ): Promise<string | null> {
    if (clientId === null) return keyPolicyId;
    return (await this.policies.ofApp(accountId, clientId))?.id ?? null;
  }

  private isLive({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date }): boolean {
    return revokedAt === null && expiresAt > this.clock.wall();
  }
}
