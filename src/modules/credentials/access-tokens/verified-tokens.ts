import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialCache, type VerifiedCredential } from '../credential-cache.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { GrantUsage } from './grant-usage.js';

/**
 * A token that was verified against the database a few seconds ago. A proof that it needs is verified for every
 * request.
 */
export interface VerifiedToken extends VerifiedCredential {
  /** Thumbprint of the key that the token is bound to (RFC 7638); null for a bearer token. */
  readonly thumbprint: string | null;
}

/** Caches access tokens that were verified in the last few seconds. */
@Injectable()
export class VerifiedTokens {
  private readonly cache: CredentialCache<VerifiedToken>;

  constructor(
    changes: CredentialChanges,
    private readonly usage: GrantUsage,
    private readonly clock: Clock,
  ) {
    this.cache = new CredentialCache(changes);
  }

  /** Returns the cached token if it has not expired; otherwise null. */
  recall(token: string): VerifiedToken | null {
    return this.cache.recall(token, this.clock.wallMs());
  }

  /** Returns a mark to take before a token is read; `remember` uses it to notice a change during the reading. */
  mark(): number {
    return this.cache.mark();
  }

  /** @param mark mark taken before the token was read. Nothing is cached when a credential has changed since. */
  remember(token: string, verified: VerifiedToken, mark: number): void {
    this.cache.remember(token, verified, mark);
  }

  /** Notes that a token has admitted a request. */
  noteUse(verified: VerifiedToken): void {
    this.usage.noteUse(verified, this.clock.wallMs());
  }
}
