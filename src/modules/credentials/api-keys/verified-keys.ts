import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialCache, type VerifiedCredential } from '../credential-cache.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { ApiKeyUsage } from './api-key-usage.js';
import type { KeyNetworks } from './key-networks.js';

/** A key that was verified against the database a few seconds ago. */
export interface VerifiedKey extends VerifiedCredential {
  /** Networks the key may be used from; null: any. */
  readonly networks: KeyNetworks | null;
}

/** Caches API keys that were verified in the last few seconds. */
@Injectable()
export class VerifiedKeys {
  private readonly cache: CredentialCache<VerifiedKey>;

  constructor(
    changes: CredentialChanges,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
  ) {
    this.cache = new CredentialCache(changes);
  }

  /** Returns the principal of a cached key that has not expired and may be used from this address; otherwise null. */
  recall(key: string, address: string | undefined): Principal | null {
    const nowMs = this.clock.wallMs();
    const known = this.cache.recall(key, nowMs);
    if (!known || (known.networks && !known.networks.contains(address))) return null;
    this.usage.noteUse(known, nowMs);
    return known.principal;
  }

  /** Returns a mark to take before a key is read; `remember` uses it to notice a change during the reading. */
  mark(): number {
    return this.cache.mark();
  }

  /** @param mark mark taken before the key was read. Nothing is cached when a credential has changed since. */
  remember(key: string, verified: VerifiedKey, mark: number): void {
    this.usage.noteUse(verified, this.clock.wallMs());
    this.cache.remember(key, verified, mark);
  }
}
