import { isIP } from 'node:net';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Agent } from 'undici';
import { Environment } from '../../../platform/config/environment.js';
import { checkedAgent, EgressRefusedError, HiddenAddressError } from '../../../platform/egress/checked-agent.js';
import { EgressDns } from '../../../platform/egress/egress-dns.js';
import { documentUrl, fetchDocument } from '../../../platform/egress/fetch-document.js';
import { hostOf, isNameOfThisMachine, PublicAddresses } from '../../../platform/egress/public-address.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';
import { interfaceIn, type NamedInterface } from './named-interface.js';

/** As for the documents of applications, but larger, because a card lists what an agent can do. */
const LIMITS = { maxBytes: 64 * 1024, deadlineMs: 2_500, userAgent: 'tasktree-agent-card' };
/** Fetches per account and minute, and per host for all accounts together. */
const FETCHES = 10;
const FETCHES_PER_HOST = 120;
const WINDOW_MS = 60_000;
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;

/** What a look at a card has found. */
export type CardLook = ({ readonly outcome: 'named' } & NamedInterface) | { readonly outcome: 'failed' | 'postponed' };

/**
 * Fetches the card that an agent's owner publishes, by the rules for documents of applications
 * (docs/decisions/oauth.md#fetched-metadata).
 */
@Injectable()
export class CardFetch implements OnModuleDestroy {
  private readonly logger = new Logger('agents');
  private readonly perAccount: LeasedWindows;
  private readonly perHost: LeasedWindows;
  private readonly addresses: PublicAddresses;
  private readonly agent: Agent;

  constructor(
    dns: EgressDns,
    { oauthPrivateNetworks }: Environment,
    limits: RateLimitStore,
    private readonly clock: Clock,
  ) {
    this.addresses = new PublicAddresses(oauthPrivateNetworks);
    this.perAccount = limits.bucket('agent-card-fetch', FETCHES, WINDOW_MS);
    this.perHost = limits.bucket('agent-card-fetch-host', FETCHES_PER_HOST, WINDOW_MS);
    this.agent = checkedAgent({ dns, addresses: this.addresses, timeoutMs: LIMITS.deadlineMs });
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  /**
   * The interface of the card at `cardUrl` that is at `url`.
   * @param accountId for whose limit the fetch counts.
   * @throws ApiError `invalid_body` for an address that is not public, and when there is no card or it names no such
   *   interface; `service_unavailable` while its host is away; `rate_limited`.
   */
  async interfaceAt(accountId: string, cardUrl: string, url: string): Promise<NamedInterface> {
    this.checkPublic(url);
    await this.take(this.perAccount, accountId);
    await this.take(this.perHost, new URL(cardUrl).hostname);
    const found = interfaceIn(await this.card(cardUrl), url);
    if (found) return found;
    throw refused('The card at agent_card_url names no A2A 1.0 interface at url.');
  }

  /**
   * As `interfaceAt`, for a look that nobody has asked for, so that it counts for the limit of the host alone. `postponed`:
   * the host was asked too often by now.
   */
  async lookAt(cardUrl: string, url: string): Promise<CardLook> {
    try {
      this.checkPublic(url);
      await this.take(this.perHost, new URL(cardUrl).hostname);
      const found = interfaceIn(await this.card(cardUrl), url);
      return found ? { outcome: 'named', ...found } : { outcome: 'failed' };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { outcome: error.code === 'rate_limited' ? 'postponed' : 'failed' };
    }
  }

  /**
   * The reasons say nothing of the host's answer, so that nobody learns of the inside of a network by them. Nor does the
   * status: a name that leads inside is answered like one that leads nowhere.
   */
  private async card(cardUrl: string): Promise<unknown> {
    const { headers, body } = await fetchDocument(this.agent, documentUrl(cardUrl), LIMITS).catch((error: unknown) => {
      this.logger.warn(`A card was not fetched: ${String(error)}`);
      throw isHostAway(error) ? away() : refused('The card at agent_card_url could not be fetched.');
    });
    if (!JSON_TYPE.test(String(headers['content-type'] ?? '')))
      throw refused('The card at agent_card_url is not JSON.');
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw refused('The card at agent_card_url is not JSON.');
    }
  }

  /** The card is for programs, which must not be led into their own network. A name is for them to resolve. */
  private checkPublic(url: string): void {
    const host = hostOf(new URL(url));
    const isInside = isIP(host) === 0 ? isNameOfThisMachine(host) : !this.addresses.include(host);
    if (isInside) throw new ApiError('invalid_body', 'The host in url is not public.');
  }

  private async take(window: LeasedWindows, key: string): Promise<void> {
    const { allowed, endsAtMs } = await window.take(key);
    if (!allowed) throw rateLimited('Too many cards of agents were asked for.', endsAtMs, this.clock.nowMs());
  }
}

function refused(reason: string): ApiError {
  return new ApiError(
    'invalid_body',
    reason,
    'Publish an A2A 1.0 card there, as application/json over https, whose supportedInterfaces name the url.',
  );
}

/** True unless the host has answered something that is no card, or the address alone says that it is not asked. */
function isHostAway(error: unknown): boolean {
  return error instanceof HiddenAddressError || !(error instanceof EgressRefusedError);
}

/** Nothing is wrong with what was sent, so the same request may succeed once the host answers. */
function away(): ApiError {
  return new ApiError(
    'service_unavailable',
    'The host in agent_card_url cannot be reached at the moment.',
    'Check that it answers from the public internet, and try again in a moment.',
  );
}
