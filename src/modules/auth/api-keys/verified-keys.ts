import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialChanges } from '../credential-changes.js';
import { ApiKeyUsage, USAGE_PRECISION_MS } from './api-key-usage.js';
import type { KeyNetworks } from './key-networks.js';

/** A key that was verified against the database a moment ago. */
export interface VerifiedKey {
  keyId: string;
  principal: Principal;
  expiresAtMs: number;
  /** Null: from anywhere. */
  networks: KeyNetworks | null;
  /** When its use was last noted. */
  notedAtMs: number;
}

const MAX_KEYS = 10_000;
const TTL_MS = 5_000;

/**
 * Remembers verified keys for a few seconds, by the hash of the secret. Forgets what changes at once, also what is
 * changed by another process; while changes cannot be heard it remembers nothing.
 */
@Injectable()
export class VerifiedKeys {
  private readonly cache = new LRUCache<string, VerifiedKey>({ max: MAX_KEYS, ttl: TTL_MS });
  private changesSeen = 0;

  constructor(
    private readonly changes: CredentialChanges,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
  ) {
    changes.onChange((id) => this.forget(id));
  }

  /** The holder of a key that is remembered, has not expired and may be used from this address; else null. */
  recall(key: string, address: string | undefined): Principal | null {
    const known = this.changes.isListening ? this.cache.get(digest(key)) : undefined;
    if (!known || known.expiresAtMs <= this.clock.nowMs()) return null;
    if (known.networks && !known.networks.contains(address)) return null;
    this.noteUse(known);
    return known.principal;
  }

  /** Taken before a key is read, so that a change during the reading is not overlooked. */
  mark(): number {
    return this.changesSeen;
  }

  /** @param mark of before the key was read; nothing is remembered when something has changed since. */
  remember(key: string, verified: VerifiedKey, mark: number): void {
    this.noteUse(verified);
    if (this.changes.isListening && mark === this.changesSeen) this.cache.set(digest(key), verified);
  }

  private noteUse(key: VerifiedKey): void {
    const nowMs = this.clock.nowMs();
    if (nowMs - key.notedAtMs < USAGE_PRECISION_MS) return;
    key.notedAtMs = nowMs;
    this.usage.note(key.keyId, nowMs);
  }

  private forget(id: string | null): void {
    this.changesSeen += 1;
    if (id === null) return this.cache.clear();
    for (const [entry, { keyId, principal }] of this.cache.entries()) {
      if (keyId === id || principal.accountId === id) this.cache.delete(entry);
    }
  }
}

function digest(key: string): string {
  return hash('sha256', key, 'base64');
}
