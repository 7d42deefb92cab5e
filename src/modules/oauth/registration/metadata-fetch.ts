import { isIP } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { Environment } from '../../../platform/config/environment.js';
import { checkedAgent } from '../../../platform/egress/checked-agent.js';
import { EgressDns } from '../../../platform/egress/egress-dns.js';
import { PublicAddresses } from '../../../platform/egress/public-address.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';

/** A document of another party was not fetched; the message is for the log, never for a caller. */
export class MetadataFetchError extends Error {
  override readonly name = 'MetadataFetchError';
}

/** Most bytes of a document's body. */
const MAX_BYTES = 5 * 1024;
/** Longest time of a fetch, from name resolution to the last byte. */
const DEADLINE_MS = 2_500;
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
    this.agent = checkedAgent({ dns: egress, addresses: this.addresses, timeoutMs: DEADLINE_MS });
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  /**
   * Implements the library's `fetch`: a GET whose answer has status 200 and a body already read. @throws
   * MetadataFetchError.
   */
  readonly fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = readTarget(input instanceof Request ? input.url : String(input));
    await this.admit(url);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
    try {
      return await Promise.race([this.get(url, deadline.signal), aborted(deadline.signal)]);
    } catch (error) {
      throw error instanceof MetadataFetchError ? error : new MetadataFetchError(messageOf(error), { cause: error });
    } finally {
      clearTimeout(timer);
      // Stops everything that is still running.
      deadline.abort();
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

  private async get(url: URL, signal: AbortSignal): Promise<Response> {
    const { statusCode, headers, body } = await this.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tasktree-client-metadata' },
      signal,
    });
    if (statusCode !== 200) throw new MetadataFetchError(`The host answered ${statusCode}`);
    return new Response(await readBody(body), { headers: cachingOf(headers) });
  }
}

function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url;
  throw new MetadataFetchError('Only https URLs without user are fetched');
}

/** Host name or address for the socket. URL parsing has already normalised other notations of an IPv4 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new MetadataFetchError('The body is not bytes');
    size += chunk.length;
    if (size > MAX_BYTES) throw new MetadataFetchError(`The document is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new MetadataFetchError('The host took too long')), { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
