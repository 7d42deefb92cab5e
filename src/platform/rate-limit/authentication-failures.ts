import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { clientNetwork } from './client-network.js';
import type { LeasedWindows } from './leased-windows.js';
import { rateLimited } from './limit-headers.js';
import { RateLimitStore } from './rate-limit.store.js';

const WINDOW_MS = 15 * 60_000;

/**
 * Counts refused credentials per client address and, where it is known, per credential. Beyond the quota a refusal is
 * a 429 instead of a 401. A good credential from the same address still passes: others may share the address.
 */
@Injectable()
export class AuthenticationFailures {
  private readonly byAddress: LeasedWindows;
  private readonly byCredential: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.byAddress = store.bucket('authfail-ip', environment.rateLimitAuthFailures, WINDOW_MS);
    this.byCredential = store.bucket('authfail-key', environment.rateLimitAuthFailures, WINDOW_MS);
  }

  /** Counts one failure. @throws ApiError `rate_limited` beyond the quota. */
  async record(address: string | undefined, credentialId: string | null): Promise<void> {
    const counts = [await this.byAddress.take(clientNetwork(address))];
    if (credentialId !== null) counts.push(await this.byCredential.take(credentialId));
    const refused = counts.filter((grant) => !grant.allowed);
    if (refused.length === 0) return;
    const endsAtMs = Math.max(...refused.map((grant) => grant.endsAtMs));
    throw rateLimited('Too many failed authentications.', endsAtMs, this.clock.nowMs());
  }
}
