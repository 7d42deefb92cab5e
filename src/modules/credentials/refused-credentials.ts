import { LRUCache } from 'lru-cache';
import { digest } from './credential-cache.js';
import type { CredentialChanges } from '../accounts/credential-changes.js';

const MAX_CREDENTIALS = 10_000;
const TTL_MS = 5_000;

/**
 * Remembers credentials of one kind that were looked up a moment ago and are over: a client that goes on with one costs no
 * look-up each time. Forgets them all when any credential changes; while changes cannot be heard it remembers nothing.
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

  /** Taken before a credential is read, so that a change during the reading is not overlooked. */
  mark(): number {
    return this.changesSeen;
  }

  /** @param mark of before the credential was read; nothing is remembered when something has changed since. */
  remember(secret: string, verdict: Verdict, mark: number): void {
    if (this.changes.isListening && mark === this.changesSeen) this.entries.set(digest(secret), verdict);
  }
}
