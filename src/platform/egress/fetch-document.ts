import type { Agent, Dispatcher } from 'undici';
import { EgressRefusedError } from './checked-agent.js';

/** A host did not answer this time, or says that it cannot; the same fetch may succeed later. */
export class HostAwayError extends Error {
  override readonly name = 'HostAwayError';
}

/** Statuses below 500 that say "not now": timeout, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
/** Longest name in the DNS (RFC 1035). A longer one cannot be resolved, and would only fill logs and counters. */
const LONGEST_HOST = 253;

/** How much of a document of another party is read, and for how long. */
export interface DocumentLimits {
  /** Most bytes of the body. */
  readonly maxBytes: number;
  /** Longest time in milliseconds, from name resolution to the last byte. */
  readonly deadlineMs: number;
  readonly userAgent: string;
}

export interface FetchedDocument {
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * The address of a document that another party has named.
 * @throws EgressRefusedError unless it is https, holds no user and names a host that can exist.
 */
export function documentUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new EgressRefusedError('Only https URLs without user are fetched');
  }
  if (url.hostname.length > LONGEST_HOST) throw new EgressRefusedError('The name of the host is too long');
  return url;
}

/**
 * Gets one document by one GET: no redirect is followed, and nothing but status 200 is a document.
 * @param agent from `checkedAgent`, which refuses addresses that are not public.
 * @throws EgressRefusedError for what will not change by waiting (an address that is not public, no document there, a
 *   document that is too large); HostAwayError, or what went wrong on the way, for what may. The messages are for the log,
 *   never for a caller.
 */
export async function fetchDocument(agent: Agent, url: URL, limits: DocumentLimits): Promise<FetchedDocument> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), limits.deadlineMs);
  try {
    // The resolution of a name cannot be aborted, so it is left behind.
    return await Promise.race([get(agent, url, limits, deadline.signal), aborted(deadline.signal)]);
  } finally {
    clearTimeout(timer);
    // Stops everything that is still running.
    deadline.abort();
  }
}

async function get(
  agent: Agent,
  url: URL,
  { maxBytes, userAgent }: DocumentLimits,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const { statusCode, headers, body } = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
    signal,
  });
  if (statusCode >= 500 || PASSING_STATUSES.has(statusCode)) {
    throw new HostAwayError(`The host answered ${statusCode}`);
  }
  if (statusCode !== 200) throw new EgressRefusedError(`The host answered ${statusCode}`);
  return { headers, body: await readBody(body, maxBytes) };
}

async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new EgressRefusedError('The body is not bytes');
    size += chunk.length;
    if (size > maxBytes) throw new EgressRefusedError(`The document is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new HostAwayError('The host took too long')), { once: true });
  });
}
