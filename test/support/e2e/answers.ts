import type { ApiAnswer } from '../market.js';

/** Expects the headers that every answer of the public listener has, whatever produced it. */
export function expectEveryHeader({ status, headers }: ApiAnswer): void {
  expect(headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  // Only a record and a first page may be cached, by their caller alone and with revalidation; none that holds a link.
  const isPolled = status === 200 && headers.has('poll-interval');
  const isKept = isPolled && headers.get('cache-control') === 'private, no-cache';
  expect([isKept || headers.get('cache-control'), headers.has('etag')]).toEqual([isKept || 'no-store', isPolled]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('vary')).toMatch(/\bService-Version\b/i);
  for (const absent of ['x-powered-by', 'server', 'access-control-allow-origin']) {
    expect([absent, headers.get(absent)]).toEqual([absent, null]);
  }
}

/** Expects the headers that an answer has once the caller is known. */
export function expectLimitHeaders({ headers }: ApiAnswer): void {
  expect(headers.get('x-limit-remaining')).toMatch(/^(0|[1-9]\d*)$/);
  expect(headers.get('ratelimit-policy')).toMatch(
    /^"(?:reads|writes)";q=\d+;w=60, "account-(?:reads|writes)";q=\d+;w=60$/,
  );
  expect(headers.get('ratelimit')).toMatch(/^"(?:reads|writes)";r=\d+;t=\d+, "account-(?:reads|writes)";r=\d+;t=\d+$/);
}

/**
 * Sends a request with an idempotency key. While an equal one is running, repeats it after the time that the refusal
 * names.
 */
export async function settled(send: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 409 || answer.body.error.code !== 'idempotency_in_progress') return answer;
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Expects a successful answer of a documented operation. */
export function expectSuccess(answer: ApiAnswer): void {
  expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(;\s*charset=utf-8)?$/i);
  expectEveryHeader(answer);
  expectLimitHeaders(answer);
}

/** Expects the one shape of errors, with this status and code and nothing else in it. */
export function expectError(answer: ApiAnswer, status: number, code: string): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(Object.keys(answer.body)).toEqual(['error']);
  const { reason, suggestion, details, ...others } = answer.body.error;
  expect(others).toEqual({ code });
  expect(details === undefined || (status === 400 && isDetails(details))).toBe(true);
  expect(typeof reason === 'string' && reason.length > 0).toBe(true);
  expect(suggestion === undefined || (typeof suggestion === 'string' && suggestion.length > 0)).toBe(true);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.text).not.toMatch(/\bat .+\.(?:ts|js):\d+|node_modules|SELECT |QueryFailedError/);
  expectEveryHeader(answer);
}

/** True for a list of a request's faults: at most 20, each with its place and a sentence. */
export function isDetails(details: unknown): boolean {
  if (!Array.isArray(details) || details.length === 0 || details.length > 20) return false;
  return details.every(
    (detail: Record<string, unknown>) =>
      Object.keys(detail).join() === 'path,reason' &&
      typeof detail['path'] === 'string' &&
      /^.{0,200}$/u.test(detail['path']) &&
      typeof detail['reason'] === 'string' &&
      detail['reason'].endsWith('.'),
  );
}
