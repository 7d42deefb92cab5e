import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CredentialChanges } from '../accounts/credential-changes.js';
import type { UsedCredential } from './credential-usage.js';

/** A credential that was verified against the database a moment ago. */
export interface VerifiedCredential extends UsedCredential {
  /** Milliseconds since the epoch, by the wall's clock. */
  readonly expiresAtMs: number;
  /** Announced when this one alone ends; absent: only its `credentialId` and its account are. */
  readonly changeId?: string;
}

const MAX_CREDENTIALS = 10_000;
const TTL_MS = 5_000;

/**
 * Remembers verified credentials of one kind for a few seconds, by the hash of the secret. Forgets what changes at once,
 * also what is changed by another process; while changes cannot be heard it remembers nothing.
 */
export class CredentialCache<Verified extends VerifiedCredential> {
  private readonly entries = new LRUCache<string, Verified>({ max: MAX_CREDENTIALS, ttl: TTL_MS });
  private changesSeen = 0;

  constructor(private readonly changes: CredentialChanges) {
    changes.onChange((id) => this.forget(id));
  }

  /** What is remembered of a secret and has not expired; else null. */
  recall(secret: string, nowMs: number): Verified | null {
    const known = this.changes.isListening ? this.entries.get(digest(secret)) : undefined;
    return known && known.expiresAtMs > nowMs ? known : null;
  }

  /** Taken before a credential is read, so that a change during the reading is not overlooked. */
  mark(): number {
    return this.changesSeen;
  }

  /** @param mark of before the credential was read; nothing is remembered when something has changed since. */
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

/** What stands for a secret in memory. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64');
}
