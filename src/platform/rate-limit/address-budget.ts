import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import type { ApiError } from '../http/api-error.js';
import { Clock } from '../time/clock.js';
import { clientNetwork } from './client-network.js';
import { knownKeys } from './counters/known-keys.js';
import type { Grant, LeasedWindows } from './counters/leased-windows.js';
import { policyOf, rateLimited, writeLimitHeaders } from './limit-headers.js';
import { RateLimitStore } from './rate-limit.store.js';

const WINDOW_MS = 60_000;
const MAX_VOUCHED = 50_000;
const VOUCHED_FOR_MS = 3_600_000;

/** True for a secret that was made by this service, as far as that can be told without looking it up. */
export type Recogniser = (secret: string) => boolean;

/**
 * What a client address may do in a minute before anything proves who asks: requests without a credential, and those
 * whose credential turns out not to be good. Many people share an address, so a caller who is authenticated pays from
 * another budget. While the address has nothing left, a request is looked at only if its secret is recognised: guesses
 * then cost no look-up, and shut nobody else out.
 */
@Injectable()
export class AddressBudget {
  private readonly bucket: LeasedWindows;
  private readonly policy: string;
  private readonly recognisers: Recogniser[] = [];
  private readonly vouched = knownKeys<true>(MAX_VOUCHED, VOUCHED_FOR_MS);
  private readonly leftToOthers = new Set<string>();

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.bucket = store.bucket('address', environment.rateLimitIp, WINDOW_MS);
    this.policy = policyOf(this.bucket);
  }

  /** Charges one request to the address. @param address `request.ip`. */
  charge(address: string | undefined): Grant | Promise<Grant> {
    return this.bucket.take(clientNetwork(address));
  }

  /** When the address's window ends if nothing is left of it (ms since the epoch); else null. Costs no look-up. */
  spentUntil(address: string | undefined): number | null {
    return this.bucket.spentUntil(clientNetwork(address));
  }

  /**
   * Notes that a secret has let a request in: the address does not pay for it, and the secret is recognised for an
   * hour.
   */
  vouch({ context }: Request, secret: string | null): void {
    context.addressIsSpared = true;
    if (secret !== null) this.vouched.set(hash('sha256', secret, 'base64'), true);
  }

  /** True for a secret that let a request in within the last hour, or that was made here. Gives no right. */
  recognises(secret: string): boolean {
    return this.recognisers.some((knows) => knows(secret)) || this.vouched.has(hash('sha256', secret, 'base64'));
  }

  /** Adds a way to recognise secrets. */
  recogniseBy(recogniser: Recogniser): void {
    this.recognisers.push(recogniser);
  }

  /** Exempts the requests of a path, which has its own limits and charges the address for what fails. */
  leave(path: string): void {
    this.leftToOthers.add(path);
  }

  isLeft(path: string): boolean {
    return this.leftToOthers.has(path);
  }

  /** Writes into the headers of an answer what the address has left. */
  writeHeaders(response: Response, grant: Grant): void {
    writeLimitHeaders(response, this.policy, { bucket: this.bucket, grant }, null, this.clock.nowMs());
  }

  /** The refusal of a request that the address cannot pay for; also writes the headers of its answer. */
  refusal({ context }: Request, response: Response, endsAtMs: number): ApiError {
    context.limitOutcome = this.bucket.name;
    context.addressIsSpared = true;
    this.writeHeaders(response, { allowed: false, remaining: 0, endsAtMs });
    const what = 'Too many requests without a good credential come from this address.';
    return rateLimited(what, endsAtMs, this.clock.nowMs());
  }
}
