import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { CredentialChallenge } from '../credential-challenge.js';
import { CredentialChanges } from '../credential-changes.js';
import { SharedReadings } from '../shared-readings.js';
import { environmentOf } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyNetworks } from './key-networks.js';
import { type VerifiedKey, VerifiedKeys } from './verified-keys.js';

/** Who holds a key, or why it is refused (and which key it is, once the whole secret was right). */
export type KeyVerdict =
  { principal: Principal; refusal: null; keyId: string } | { principal: null; refusal: ApiError; keyId: string | null };

interface HeldKey {
  key: ApiKeyEntity;
  account: AccountEntity;
}

/** Verifies API keys, in the order of http-and-auth.md §5: nothing about a key is told before its secret is right. */
@Injectable()
export class ApiKeyVerifier {
  private readonly readings: SharedReadings<HeldKey | null>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly verified: VerifiedKeys,
    private readonly challenge: CredentialChallenge,
    changes: CredentialChanges,
  ) {
    this.readings = new SharedReadings(changes);
  }

  /** Rejects only when the database does. */
  async verify(key: string, address: string | undefined): Promise<KeyVerdict> {
    const mark = this.verified.mark();
    const held = await this.held(key);
    if (!held) return refused(this.refuse('invalid_api_key', 'The API key is not valid.'), null);
    const refusal = this.fault(held, address);
    if (refusal) return refused(refusal, held.key.id);
    const known = verifiedKeyOf(held);
    this.verified.remember(key, known, mark);
    return { principal: known.principal, refusal: null, keyId: held.key.id };
  }

  /** Null for junk, which costs no look-up, and for unknown keys. */
  private held(key: string): Promise<HeldKey | null> {
    if (environmentOf(key) !== this.environment.keyEnvironment) return Promise.resolve(null);
    return this.readings.of(key, () => this.read(key));
  }

  /** The row of a key whose whole secret is right. */
  private async read(key: string): Promise<HeldKey | null> {
    const secretHash = this.sealer.hmac('api-key-pepper', key);
    const row = await this.dataSource.manager.findOneBy(ApiKeyEntity, { secretHash });
    if (!row || !timingSafeEqual(row.secretHash, secretHash)) return null;
    const account = await this.dataSource.manager.findOneByOrFail(AccountEntity, { id: row.accountId });
    return { key: row, account };
  }

  private fault({ key, account }: HeldKey, address: string | undefined): ApiError | null {
    if (key.revokedAt) return this.refuse('api_key_revoked', 'The API key was revoked.');
    if (key.expiresAt <= this.clock.wall()) return this.refuse('api_key_expired', 'The API key has expired.');
    if (key.cidrs && !new KeyNetworks(key.cidrs).contains(address)) {
      return this.refuse('invalid_api_key', 'The API key may not be used from this network.');
    }
    if (account.status === 'suspended') return new ApiError('account_suspended', 'The account is suspended.');
    return null;
  }

  private refuse(code: 'invalid_api_key' | 'api_key_expired' | 'api_key_revoked', reason: string): ApiError {
    return new ApiError(code, reason, undefined, this.challenge.unauthenticated());
  }
}

function refused(refusal: ApiError, keyId: string | null): KeyVerdict {
  return { principal: null, refusal, keyId };
}

function verifiedKeyOf({ key, account }: HeldKey): VerifiedKey {
  return {
    principal: Object.freeze({
      accountId: key.accountId,
      walletAddress: account.walletAddress,
      credentialId: key.id,
      scopes: Object.freeze([key.scope]),
      pinnedVersion: key.pinnedVersion,
    }),
    expiresAtMs: key.expiresAt.getTime(),
    networks: key.cidrs && new KeyNetworks(key.cidrs),
    notedAtMs: key.lastUsedAt?.getTime() ?? 0,
  };
}
