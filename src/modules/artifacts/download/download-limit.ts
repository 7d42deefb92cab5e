import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';

/** The lifetime of a link. */
const WINDOW_MS = 600_000;
/** Openings of one artifact by all links of one account. The number leaves room for downloads that are restarted. */
const PER_GRANT = 40;
/** Invalid links from one client network. Valid links are not counted by network, because many people may share one. */
const BAD_PER_NETWORK = 400;

/** Limits how often links are opened in ten minutes: a link is for one person and no public file server. */
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

  /** Counts an invalid link against the client's network. @throws ApiError `rate_limited`. */
  takeBad(clientAddress: string | undefined): Promise<void> {
    return this.take(this.byNetwork, clientNetwork(clientAddress), 'Too many links from your network were not valid.');
  }

  /**
   * Counts one opening of `subject` by any link of the account.
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
