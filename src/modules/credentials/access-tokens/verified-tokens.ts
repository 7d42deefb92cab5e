import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialCache, type VerifiedCredential } from '../credential-cache.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { GrantUsage } from './grant-usage.js';

/** A token that was verified against the database a moment ago. Its proof, if it needs one, is verified every time. */
export interface VerifiedToken extends VerifiedCredential {
  /** Thumbprint of the key that it is bound to (RFC 7638); null for a bearer token. */
  readonly thumbprint: string | null;
}

/** The access tokens that were verified in the last few seconds. */
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

  /** What is remembered of a token and has not expired; else null. */
  recall(token: string): VerifiedToken | null {
    return this.cache.recall(token, this.clock.wallMs());
  }

  /** Taken before a token is read, so that a change during the reading is not overlooked. */
  mark(): number {
    return this.cache.mark();
  }

  /** @param mark of before the token was read; nothing is remembered when something has changed since. */
  remember(token: string, verified: VerifiedToken, mark: number): void {
    this.cache.remember(token, verified, mark);
  }

  /** Notes that a token has let a request in. */
  noteUse(verified: VerifiedToken): void {
    this.usage.noteUse(verified, this.clock.wallMs());
  }
}
