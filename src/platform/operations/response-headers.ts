import type { OpenAPIObject } from '@nestjs/swagger';
import { POLL_INTERVAL, POLL_SECONDS } from '../http/headers/poll-interval.js';
import { CURRENT_VERSION } from '../versioning/api-versions.js';

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

/** Every response header of the interface, once. */
export const RESPONSE_HEADERS = {
  'Service-Version': {
    description: 'Version used to serve this response; on every response.',
    required: true,
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    example: CURRENT_VERSION,
  },
  'X-Request-Id': {
    description: 'Names this request in the logs of the service.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Limit-Remaining': {
    description: 'Requests left in the current rate-limit window.',
    schema: { type: 'integer', minimum: 0 },
    example: 119,
  },
  'RateLimit-Policy': {
    description: 'Quota and window of each limit that applies (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"reads";q=120;w=60, "account-reads";q=600;w=60',
  },
  RateLimit: {
    description: 'What is left of each limit, and until when.',
    schema: { type: 'string' },
    example: '"reads";r=119;t=60, "account-reads";r=599;t=60',
  },
  'Retry-After': {
    description: 'Seconds until the client may retry.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 9110, RFC 9728).', schema: { type: 'string' } },
  Link: { description: 'URL of the next page, when there is one (RFC 8288).', schema: { type: 'string' } },
  ETag: {
    description:
      'Names this answer as the caller sees it; sent back in `If-None-Match`, it makes an unchanged answer 304 without a ' +
      'body. Pages after the first have none.',
    schema: { type: 'string' },
    example: '"pPBcjvDtzgxgkyTUHDmUvA"',
  },
  [POLL_INTERVAL]: {
    description:
      `Seconds after which to ask again makes sense: ${POLL_SECONDS.record} for one record, ${POLL_SECONDS.list} for a ` +
      'list. Also on a 304. Pages after the first have none.',
    schema: { type: 'integer', minimum: 1 },
    example: POLL_SECONDS.record,
  },
  'Idempotent-Replayed': {
    description: 'Sent when this is the stored result of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Headers;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

const LIMITS: readonly ResponseHeader[] = ['X-Limit-Remaining', 'RateLimit-Policy', 'RateLimit'];
/**
 * Statuses of answers that are sent before anything is counted. A 401 is not one: it tells what the client address has
 * left.
 */
const BEFORE_LIMITS: ReadonlySet<number> = new Set([414, 431]);
const WAITING_HELPS: ReadonlySet<number> = new Set([409, 429, 503]);

/** Headers of a response of an operation. */
export function responseHeaders(status: number, kind: string): ResponseHeader[] {
  return [
    'Service-Version',
    'X-Request-Id',
    ...(BEFORE_LIMITS.has(status) ? [] : LIMITS),
    ...(WAITING_HELPS.has(status) ? (['Retry-After'] as const) : []),
    ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 200 && kind === 'list' ? (['Link'] as const) : []),
    ...(status === 200 && (kind === 'read' || kind === 'list') ? (['ETag', POLL_INTERVAL] as const) : []),
    ...((status === 200 || status === 409) && kind === 'write' ? (['Idempotent-Replayed'] as const) : []),
  ];
}
