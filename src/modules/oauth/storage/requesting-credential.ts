import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { ApiKeyEntity } from '../../credentials/api-keys/api-key.entity.js';
import { OAuthGrantEntity } from './oauth-grant.entity.js';
import type { Scope } from '../../credentials/scope.js';

/** The credential by which something was asked for, as it stands now. Names are other people's text. */
export interface RequestingCredential {
  kind: 'application' | 'key';
  name: string;
  /** Host that vouches for an application's name; null: nobody does. */
  host: string | null;
  /** False once it was revoked or has expired. */
  isLive: boolean;
  /** What it may ask for. */
  scopes: readonly Scope[];
  /** Most base units that one funding it asks for may move; null: no cap. */
  fundingCap: bigint | null;
}

/** Looks up who asked: for people who decide about it, and before the same is asked again in its name. */
@Injectable()
export class RequestingCredentials {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** The account's key, or the grant of an application; null when there is no such credential. */
  async find(accountId: string, credentialId: string): Promise<RequestingCredential | null> {
    const { manager } = this.transactions;
    const own = { id: credentialId, accountId };
    const key = await manager.findOneBy(ApiKeyEntity, own);
    if (key) {
      const { name, scope } = key;
      return { kind: 'key', name, host: null, isLive: this.isLive(key), scopes: [scope], fundingCap: null };
    }
    const grant = await manager.findOneBy(OAuthGrantEntity, own);
    if (!grant) return null;
    const { clientName: name, clientHost: host, scopes, fundingCap } = grant;
    return { kind: 'application', name, host, isLive: this.isLive(grant), scopes, fundingCap };
  }

  private isLive({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date }): boolean {
    return revokedAt === null && expiresAt > this.clock.wall();
  }
}
