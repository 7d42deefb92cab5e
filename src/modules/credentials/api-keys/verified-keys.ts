import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialCache, type VerifiedCredential } from '../credential-cache.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { ApiKeyUsage } from './api-key-usage.js';
import type { KeyNetworks } from './key-networks.js';

/** A key that was verified against the database a moment ago. */
export interface VerifiedKey extends VerifiedCredential {
  /** Null: from anywhere. */
  readonly networks: KeyNetworks | null;
}

/** The keys that were verified in the last few seconds. */
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

  /** The holder of a key that is remembered, has not expired and may be used from this address; else null. */
  recall(key: string, address: string | undefined): Principal | null {
    const nowMs = this.clock.wallMs();
    const known = this.cache.recall(key, nowMs);
    if (!known || (known.networks && !known.networks.contains(address))) return null;
    this.usage.noteUse(known, nowMs);
    return known.principal;
  }

  /** Taken before a key is read, so that a change during the reading is not overlooked. */
  mark(): number {
    return this.cache.mark();
  }

  /** @param mark of before the key was read; nothing is remembered when something has changed since. */
  remember(key: string, verified: VerifiedKey, mark: number): void {
    this.usage.noteUse(verified, this.clock.wallMs());
    this.cache.remember(key, verified, mark);
  }
}
