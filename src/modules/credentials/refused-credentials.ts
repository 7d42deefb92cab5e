import { LRUCache } from 'lru-cache';
import { digest } from './credential-cache.js';
import type { CredentialChanges } from '../accounts/credential-changes.js';

const MAX_CREDENTIALS = 10_000;
const TTL_MS = 5_000;

/**
 * Caches refusals of ended credentials of one kind for a few seconds, so that a client that keeps sending one costs no
 * look-up each time. Drops all when any credential changes. Caches nothing while changes of other processes cannot be
 * received.
 */
export class RefusedCredentials<Verdict extends object> {
  private readonly entries = new LRUCache<string, Verdict>({ max: MAX_CREDENTIALS, ttl: TTL_MS });
  private changesSeen = 0;

  constructor(private readonly changes: CredentialChanges) {
    changes.onChange(() => {
      this.changesSeen += 1;
      this.entries.clear();
    });
  }

  recall(secret: string): Verdict | null {
    return (this.changes.isListening && this.entries.get(digest(secret))) || null;
  }

  /** Returns a mark to take before a credential is read; `remember` uses it to notice a change during the reading. */
  mark(): number {
    return this.changesSeen;
  }

  /** @param mark mark taken before the credential was read. Nothing is cached when a credential has changed since. */
  remember(secret: string, verdict: Verdict, mark: number): void {
    if (this.changes.isListening && mark === this.changesSeen) this.entries.set(digest(secret), verdict);
  }
}
