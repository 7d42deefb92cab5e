import { Injectable, Logger } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { CredentialChallenge } from '../credential-challenge.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { RefusedCredentials } from '../refused-credentials.js';
import { CredentialSingleFlight } from '../credential-single-flight.js';
import { environmentOf } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyNetworks } from './key-networks.js';
import { type VerifiedKey, VerifiedKeys } from './verified-keys.js';

/** The principal of a key, or the reason why it is refused. `keyId` is known only when the whole secret was right. */
export type KeyVerdict =
  | { principal: Principal; refusal: null; keyId: string }
  | { principal: null; refusal: ApiError; keyId: string | null };

/** The same for every key that is not known, because it says nothing about one before its secret has proved right. */
const UNKNOWN_KEY_ADVICE =
  'Send the whole key, as this service showed it when it was made, or make another (/account/keys).';

interface HeldKey {
  key: ApiKeyEntity;
  account: AccountEntity;
}

/**
 * Verifies API keys, in the order of docs/decisions/http.md#api-keys: it says nothing about a key before the secret has
 * proved right.
 */
@Injectable()
export class ApiKeyVerifier {
  private readonly logger = new Logger('credentials');
  private readonly readings: CredentialSingleFlight<HeldKey | null>;
  private readonly over: RefusedCredentials<KeyVerdict>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly verified: VerifiedKeys,
    private readonly challenge: CredentialChallenge,
    changes: CredentialChanges,
  ) {
    this.readings = new CredentialSingleFlight(changes);
    this.over = new RefusedCredentials(changes);
  }

  /** Verifies a key that is used from a client address. Rejects only when the database fails. */
  async verify(key: string, address: string | undefined): Promise<KeyVerdict> {
    const over = this.over.recall(key);
    if (over !== null) return over;
    const [mark, markOfOver] = [this.verified.mark(), this.over.mark()];
    const held = await this.held(key);
    if (!held) return refused(this.refuse('invalid_api_key', 'The API key is not valid.', UNKNOWN_KEY_ADVICE), null);
    const end = this.endOf(held);
    if (end) {
      const verdict = refused(end, held.key.id);
      this.over.remember(key, verdict, markOfOver);
      return verdict;
    }
    if (held.key.cidrs && !new KeyNetworks(held.key.cidrs).contains(address)) {
      return refused(this.refuse('invalid_api_key', 'The API key may not be used from this network.'), held.key.id);
    }
    const known = verifiedKeyOf(held);
    this.verified.remember(key, known, mark);
    return { principal: known.principal, refusal: null, keyId: held.key.id };
  }

  /** Returns the key and its account; null for an unknown key, and for a malformed one without asking the database. */
  private held(key: string): Promise<HeldKey | null> {
    if (environmentOf(key) !== this.environment.keyEnvironment) return Promise.resolve(null);
    return this.readings.read(key, () => this.read(key));
  }

  /** Reads the key with this secret, and its account. */
  private async read(key: string): Promise<HeldKey | null> {
    const hashes = this.sealer.hmacs('api-key-pepper', key);
    const row = await this.dataSource.manager.findOneBy(ApiKeyEntity, { secretHash: In(hashes) });
    if (!row || this.sealer.match('api-key-pepper', key, row.secretHash) === null) return null;
    await this.renewHash(row, key);
    const account = await this.dataSource.manager.findOneByOrFail(AccountEntity, { id: row.accountId });
    return { key: row, account };
  }

  /**
   * Renews the hash under the newest pepper. This happens when the key is used, because only then is its secret known.
   */
  private async renewHash({ id, secretHash, pepperVersion }: ApiKeyEntity, key: string): Promise<void> {
    const current = this.sealer.keyNumber('api-key-pepper');
    if (pepperVersion === current) return;
    const change = { secretHash: this.sealer.hmac('api-key-pepper', key), pepperVersion: current };
    try {
      await this.dataSource.manager.update(ApiKeyEntity, { id, secretHash }, change);
    } catch (error) {
      // The key is valid anyway; its next use tries again.
      this.logger.warn({ err: error, key_id: id }, 'The hash of a key could not be renewed');
    }
  }

  /** The reason why the key cannot be used (revoked, expired or suspended); null when it can. */
  private endOf({ key, account }: HeldKey): ApiError | null {
    if (key.revokedAt) return this.refuse('api_key_revoked', 'The API key was revoked.');
    if (key.expiresAt <= this.clock.wall()) return this.refuse('api_key_expired', 'The API key has expired.');
    if (account.status !== 'active') return new ApiError('account_suspended', 'The account is suspended.');
    return null;
  }

  private refuse(
    code: 'invalid_api_key' | 'api_key_expired' | 'api_key_revoked',
    reason: string,
    advice?: string,
  ): ApiError {
    return new ApiError(code, reason, advice, this.challenge.unauthenticated());
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
      ...(key.spendPolicyId === null ? {} : { spendPolicyId: key.spendPolicyId }),
      credentialEnd: { atMs: key.expiresAt.getTime() },
    }),
    expiresAtMs: key.expiresAt.getTime(),
    networks: key.cidrs && new KeyNetworks(key.cidrs),
    notedAtMs: key.lastUsedAt?.getTime() ?? 0,
  };
}
