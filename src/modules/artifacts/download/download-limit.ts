import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';

/** As long as a link opens. */
const WINDOW_MS = 600_000;
/** Openings of one thing by the links of one account: a download that is begun again and again is within it. */
const PER_GRANT = 40;
/** Links that are not good, by one client network. Good ones are not counted by it: many people may share a network. */
const BAD_PER_NETWORK = 400;

/** How often what is behind links is opened, in ten minutes: a link is for a person, and no file server for the world. */
@Injectable()
export class DownloadLimit {
  private readonly byGrant: LeasedWindows;
  private readonly byNetwork: LeasedWindows;

  constructor(
    store: RateLimitStore,
    private readonly clock: Clock,
  ) {
    this.byGrant = store.bucket('download-link', PER_GRANT, WINDOW_MS);
    this.byNetwork = store.bucket('download-network', BAD_PER_NETWORK, WINDOW_MS);
  }

  /** Counts a link that opens nothing, whoever it is from. @throws ApiError `rate_limited`. */
  takeBad(clientAddress: string | undefined): Promise<void> {
    return this.take(this.byNetwork, clientNetwork(clientAddress), 'Too many links from your network were not valid.');
  }

  /**
   * Counts one opening of what an account's links lead to, however many links it has asked for.
   * @throws ApiError `rate_limited`.
   */
  takeGrant(accountId: string, subject: string): Promise<void> {
    return this.take(this.byGrant, `${accountId}/${subject}`, 'This was opened too often by links of this account.');
  }

  private async take(bucket: LeasedWindows, key: string, refusal: string): Promise<void> {
    const grant = await bucket.take(key);
    if (!grant.allowed) throw rateLimited(refusal, grant.endsAtMs, this.clock.nowMs());
  }
}
