import type { Response } from 'express';
import { REVALIDATED } from './entity-tag.js';

/** Header of every answer that is worth asking for again: after how many seconds. */
export const POLL_INTERVAL = 'Poll-Interval';

/**
 * The seconds, by what is asked for. A status follows what time changes within 5 seconds, so to ask more often shows
 * nothing new. Five lists every 15 seconds and five records every 5 are 80 of the 120 reads a minute that a credential
 * has where nothing else is configured.
 */
export const POLL_SECONDS = { record: 5, list: 15 } as const;

/** Headers of an answer that is polled. @param holdsLink true: no cache may keep it, so it stays `no-store`. */
export function polledHeaders(what: keyof typeof POLL_SECONDS, holdsLink: boolean): Readonly<Record<string, string>> {
  const interval = { [POLL_INTERVAL]: String(POLL_SECONDS[what]) };
  return holdsLink ? interval : { ...interval, 'Cache-Control': REVALIDATED };
}

/**
 * Whether the answer is one that callers poll. A page after the first is not: it is read once, on the way through a list,
 * so it loses the headers that its route has given it.
 */
export function isPolled(response: Response): boolean {
  if (!response.hasHeader(POLL_INTERVAL)) return false;
  // The query is parsed anew each time it is asked for. A parameter that is spelt otherwise only keeps its tag.
  if (!response.req.originalUrl.includes('cursor=')) return true;
  notPolled(response);
  return false;
}

/** Takes back what `polledHeaders` has promised of an answer: for a refusal, and for a page after the first. */
export function notPolled(response: Response): void {
  response.removeHeader(POLL_INTERVAL);
  response.setHeader('Cache-Control', 'no-store');
}
