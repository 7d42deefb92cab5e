import { isIP } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { Environment } from '../../../platform/config/environment.js';
import { checkedAgent } from '../../../platform/egress/checked-agent.js';
import { EgressRefusedError } from '../../../platform/egress/checked-agent.js';
import { documentUrl, fetchDocument } from '../../../platform/egress/fetch-document.js';
import { EgressDns } from '../../../platform/egress/egress-dns.js';
import { hostOf, PublicAddresses } from '../../../platform/egress/public-address.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { ClientSettings } from './client-settings.js';
import { DocumentAsker } from './document-asker.js';

interface FetchFailure {
  /** True: the same fetch may succeed later, so that nothing is known of the application; false: there is no document. */
  readonly isPassing: boolean;
  /** When a limit of this service ends that has refused the fetch (ms since the epoch). */
  readonly retryAtMs?: number;
  readonly cause?: unknown;
}

/** How deep the library wraps what `fetch` has thrown. */
const MOST_CAUSES = 5;

/** A document of another party was not fetched; the message is for the log, never for a caller. */
export class MetadataFetchError extends Error {
  override readonly name = 'MetadataFetchError';
  readonly isPassing: boolean;
  readonly retryAtMs: number | null;

  constructor(message: string, { isPassing, retryAtMs, cause }: FetchFailure) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.retryAtMs = retryAtMs ?? null;
  }

  /** The failed fetch behind an error of the library; null: there is none. */
  static behind(error: unknown): MetadataFetchError | null {
    let found = error;
    for (let depth = 0; depth < MOST_CAUSES && found instanceof Error; depth += 1) {
      if (found instanceof MetadataFetchError) return found;
      found = found.cause;
    }
    return null;
  }
}

const LIMITS = { maxBytes: 5 * 1024, deadlineMs: 2_500, userAgent: 'tasktree-client-metadata' };
/**
 * Fetches per minute for one client network, and for all together: of one host, and for one application that somebody
 * has connected. Requests of strangers must not block the same host for others, and nothing of a stranger counts for an
 * application that people use, whose users would be refused for it.
 */
const OF_HOST = { network: 10, all: 120 };
const OF_KNOWN_CLIENT = { network: 60, all: 600 };
const WINDOW_MS = 60_000;

/**
 * Fetches what applications publish about themselves: metadata documents and key sets. Other parties choose these
 * addresses. So a host is contacted only if all its addresses are public, and the connection uses a checked address,
 * not a second resolution of the name. `https` only, no redirect, 5 KiB, 2.5 s in all, no proxy of the environment, and
 * so many fetches a minute (docs/decisions/oauth.md#fetched-metadata).
 */
@Injectable()
export class MetadataFetch implements OnModuleDestroy {
  private readonly addresses: PublicAddresses;
  private readonly ofHost: readonly [LeasedWindows, LeasedWindows];
  private readonly ofKnownClient: readonly [LeasedWindows, LeasedWindows];
  private readonly agent: Agent;

  constructor(
    egress: EgressDns,
    { oauthPrivateNetworks }: Environment,
    limits: RateLimitStore,
    private readonly asker: DocumentAsker,
    private readonly settings: ClientSettings,
  ) {
    this.addresses = new PublicAddresses(oauthPrivateNetworks);
    this.ofHost = [
      limits.bucket('metadata-fetch', OF_HOST.network, WINDOW_MS),
      limits.bucket('metadata-fetch-all', OF_HOST.all, WINDOW_MS),
    ];
    this.ofKnownClient = [
      limits.bucket('metadata-fetch-known', OF_KNOWN_CLIENT.network, WINDOW_MS),
      limits.bucket('metadata-fetch-known-all', OF_KNOWN_CLIENT.all, WINDOW_MS),
    ];
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
      if (error instanceof MetadataFetchError) throw error;
      throw new MetadataFetchError(messageOf(error), {
        isPassing: !(error instanceof EgressRefusedError),
        cause: error,
      });
    }
  };

  private async admit(url: URL): Promise<void> {
    const host = hostOf(url);
    // The agent refuses it too; here it costs nobody a fetch.
    if (isIP(host) !== 0 && !this.addresses.include(host)) {
      throw new MetadataFetchError('The address is not public', { isPassing: false });
    }
    const { current } = this.asker;
    const isKnown = current !== undefined && (await this.settings.knows(current.clientId));
    if (current !== undefined) current.isKnown = isKnown;
    const [perNetwork, ofAll] = isKnown ? this.ofKnownClient : this.ofHost;
    const asked = isKnown ? current.clientId : host;
    await take(perNetwork, `${asked} ${clientNetwork(current?.request?.ip)}`);
    await take(ofAll, asked);
  }
}

async function take(window: LeasedWindows, key: string): Promise<void> {
  const { allowed, endsAtMs } = await window.take(key);
  if (!allowed) throw new MetadataFetchError('The host was asked too often', { isPassing: true, retryAtMs: endsAtMs });
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
