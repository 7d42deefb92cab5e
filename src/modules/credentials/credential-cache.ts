import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CredentialChanges } from '../accounts/credential-changes.js';
import type { UsedCredential } from './credential-usage.js';

/** A credential that was verified against the database a few seconds ago. */
export interface VerifiedCredential extends UsedCredential {
  /** Milliseconds since the epoch, by the wall clock. */
  readonly expiresAtMs: number;
  /**
   * Id that is announced when this credential alone ends; absent: only its `credentialId` and its account id are
   * announced.
   */
  readonly changeId?: string;
}

const MAX_CREDENTIALS = 10_000;
const TTL_MS = 5_000;

/**
 * Caches verified credentials of one kind for a few seconds, by the hash of the secret. Drops a credential at once when
 * this or another process changes it. Caches nothing while changes of other processes cannot be received.
 */
export class CredentialCache<Verified extends VerifiedCredential> {
  private readonly entries = new LRUCache<string, Verified>({ max: MAX_CREDENTIALS, ttl: TTL_MS });
  private changesSeen = 0;

  constructor(private readonly changes: CredentialChanges) {
    changes.onChange((id) => this.forget(id));
  }

  /** Returns the cached credential if it has not expired; otherwise null. */
  recall(secret: string, nowMs: number): Verified | null {
    const known = this.changes.isListening ? this.entries.get(digest(secret)) : undefined;
    return known && known.expiresAtMs > nowMs ? known : null;
  }

  /** Returns a mark to take before a credential is read; `remember` uses it to notice a change during the reading. */
  mark(): number {
    return this.changesSeen;
  }

  /** @param mark mark taken before the credential was read. Nothing is cached when a credential has changed since. */
  remember(secret: string, verified: Verified, mark: number): void {
    if (this.changes.isListening && mark === this.changesSeen) this.entries.set(digest(secret), verified);
  }

  private forget(id: string | null): void {
    this.changesSeen += 1;
    if (id === null) return this.entries.clear();
    for (const [entry, { principal, changeId }] of this.entries.entries()) {
      if (principal.credentialId === id || principal.accountId === id || changeId === id) this.entries.delete(entry);
    }
  }
}

/** Hash that is kept in memory instead of the secret. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64');
}
