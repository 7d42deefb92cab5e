import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { tokenHashStart } from '../presented-token.js';
import { ENDED_CREDENTIALS } from './ended-credentials.sql.js';

/**
 * How often all watched credentials are looked up. Only what the notifications have missed is found by it, such as on a
 * connection that has died without a word; then a request, too, may use a revoked key for five seconds
 * (credential-cache.ts).
 */
const LOOK_UP_MS = 4_000;
/** The longest time that a timer can wait for; what is watched does not last that long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Watch {
  readonly principal: Principal;
  readonly onEnd: () => void;
}

/**
 * Tells who answers for longer than a moment that the credential of the request no longer holds: it was revoked or has
 * expired, or its account was suspended. Known at once where the notification arrives, else within five seconds.
 */
@Injectable()
export class CredentialWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('credentials');
  private readonly watches = new Set<Watch>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly changes: CredentialChanges,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.onChange((id) => (id === null ? this.lookUp() : this.endOf(id)));
    this.timer = setInterval(() => this.lookUp(), LOOK_UP_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  /**
   * Calls `onEnd` once when the credential ends. A change of the account that leaves the credential as it is may be told
   * as an end, too.
   * @returns a function that ends the watch.
   */
  watch(principal: Principal, onEnd: () => void): () => void {
    const watch: Watch = { principal, onEnd };
    this.watches.add(watch);
    const leftMs = (principal.credentialEnd?.atMs ?? Infinity) - this.clock.wallMs();
    const expiry =
      leftMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => this.end(watch), Math.max(0, leftMs)).unref();
    return () => {
      clearTimeout(expiry);
      this.watches.delete(watch);
    };
  }

  private endOf(id: string): void {
    for (const watch of this.watches) {
      const { credentialId, accountId, credentialEnd } = watch.principal;
      if (credentialId === id || accountId === id || credentialEnd?.changeId === id) this.end(watch);
    }
  }

  private end(watch: Watch): void {
    if (this.watches.delete(watch)) watch.onEnd();
  }

  private lookUp(): void {
    if (this.watches.size > 0) this.looking ??= this.endEnded().finally(() => (this.looking = null));
  }

  /** Never rejects. */
  private async endEnded(): Promise<void> {
    const held = new Map<string, Watch[]>();
    for (const watch of this.watches) {
      const key = keyOf(watch.principal);
      const same = held.get(key);
      if (same) same.push(watch);
      else held.set(key, [watch]);
    }
    const groups = [...held.values()];
    const principals = groups.flatMap(([first]) => first?.principal ?? []);
    const values = [
      principals.map(({ credentialId }) => credentialId),
      principals.map(({ credentialEnd }) => tokenHashStart(credentialEnd?.changeId)),
      this.clock.wall(),
    ];
    try {
      for (const { place } of await this.transactions.lookUp<{ place: number }>(ENDED_CREDENTIALS, values)) {
        for (const watch of groups[place - 1] ?? []) this.end(watch);
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`Ended credentials of open streams are not found: ${String(error)}`);
      this.isFailing = true;
    }
  }
}

function keyOf({ credentialId, credentialEnd }: Principal): string {
  return `${credentialId} ${credentialEnd?.changeId ?? ''}`;
}
