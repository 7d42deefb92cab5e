import { isIP } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { Environment } from '../../../platform/config/environment.js';
import { checkedAgent } from '../../../platform/egress/checked-agent.js';
import { documentUrl, fetchDocument } from '../../../platform/egress/fetch-document.js';
import { EgressDns } from '../../../platform/egress/egress-dns.js';
import { hostOf, PublicAddresses } from '../../../platform/egress/public-address.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';

/** A document of another party was not fetched; the message is for the log, never for a caller. */
export class MetadataFetchError extends Error {
  override readonly name = 'MetadataFetchError';
}

const LIMITS = { maxBytes: 5 * 1024, deadlineMs: 2_500, userAgent: 'tasktree-client-metadata' };
/**
 * Fetches per host and minute for one client network; ALL_FETCHES_PER_HOST: for all together. One stranger's requests
 * must not block the same host for others.
 */
const FETCHES_PER_HOST = 10;
const ALL_FETCHES_PER_HOST = 120;
const WINDOW_MS = 60_000;

/**
 * Fetches what applications publish about themselves: metadata documents and key sets. Other parties choose these
 * addresses. So a host is contacted only if all its addresses are public, and the connection uses a checked address,
 * not a second resolution of the name. `https` only, no redirect, 5 KiB, 2.5 s in all, no proxy of the environment, and
 * 10 fetches per host, client network and minute (docs/decisions/oauth.md#fetched-metadata).
 */
@Injectable()
export class MetadataFetch implements OnModuleDestroy {
  private readonly addresses: PublicAddresses;
  private readonly perHost: LeasedWindows;
  private readonly ofAll: LeasedWindows;
  private readonly agent: Agent;

  constructor(
    egress: EgressDns,
    { oauthPrivateNetworks }: Environment,
    limits: RateLimitStore,
    private readonly requests: OAuthRequests,
  ) {
    this.addresses = new PublicAddresses(oauthPrivateNetworks);
    this.perHost = limits.bucket('metadata-fetch', FETCHES_PER_HOST, WINDOW_MS);
    this.ofAll = limits.bucket('metadata-fetch-all', ALL_FETCHES_PER_HOST, WINDOW_MS);
    this.agent = checkedAgent({ dns: egress, addresses: this.addresses, timeoutMs: LIMITS.deadlineMs });
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  /**
   * Implements the library's `fetch`: a GET whose answer has status 200 and a body already read. @throws
   * MetadataFetchError.
   */
  readonly fetch = async (input: string | URL | Request): Promise<Response> => {
    try {
      const url = documentUrl(input instanceof Request ? input.url : String(input));
      await this.admit(url);
      const { headers, body } = await fetchDocument(this.agent, url, LIMITS);
      return new Response(body, { headers: cachingOf(headers) });
    } catch (error) {
      throw error instanceof MetadataFetchError ? error : new MetadataFetchError(messageOf(error), { cause: error });
    }
  };

  private async admit(url: URL): Promise<void> {
    const host = hostOf(url);
    // The agent refuses it too; here it costs nobody a fetch.
    if (isIP(host) !== 0 && !this.addresses.include(host)) throw new MetadataFetchError('The address is not public');
    const { allowed } = await this.perHost.take(`${host} ${clientNetwork(this.requests.current?.request.ip)}`);
    if (!allowed || !(await this.ofAll.take(host)).allowed) {
      throw new MetadataFetchError('The host was asked too often');
    }
  }
}

/** The two headers that the library reads, which say how long it may cache the answer. */
function cachingOf(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const names = ['cache-control', 'expires'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
