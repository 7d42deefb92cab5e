import type { Agent, Dispatcher } from 'undici';
import { EgressRefusedError } from './checked-agent.js';

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
 * @throws EgressRefusedError unless it is https and holds no user.
 */
export function documentUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url;
  throw new EgressRefusedError('Only https URLs without user are fetched');
}

/**
 * Gets one document by one GET: no redirect is followed, and nothing but status 200 is a document.
 * @param agent from `checkedAgent`, which refuses addresses that are not public.
 * @throws EgressRefusedError, or what went wrong on the way; the messages are for the log, never for a caller.
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
    signal.addEventListener('abort', () => reject(new EgressRefusedError('The host took too long')), { once: true });
  });
}
