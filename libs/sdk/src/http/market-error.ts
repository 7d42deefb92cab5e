import type { components } from '../generated/interface.js';

type ErrorBody = components['schemas']['Error']['error'];

/** Stable codes of the service; an open union, because codes are added. */
export type ErrorCode = ErrorBody['code'];

/** What a response says beside its body. */
export interface AnswerFacts {
  /** HTTP status. */
  readonly status: number;
  /** For support: names this very request in the service's log. */
  readonly requestId?: string | undefined;
  /** The date-version that answered. */
  readonly serviceVersion?: string;
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfterSeconds?: number;
}

/** The service has refused. `code` says why, for programs; `suggestion` what to do about it. */
export class MarketError extends Error implements AnswerFacts {
  override readonly name = 'MarketError';
  declare readonly status: number;
  declare readonly code: ErrorCode;
  declare readonly reason: string;
  declare readonly suggestion?: string;
  /** Every member or parameter that is wrong, where that is what is wrong. */
  declare readonly details?: ErrorBody['details'];
  declare readonly requestId?: string;
  declare readonly serviceVersion?: string;
  declare readonly retryAfterSeconds?: number;

  constructor(
    facts: AnswerFacts,
    { code, reason, suggestion, details }: ErrorBody,
    /** The key of the refused write: sent again with it, the request is the same request. */
    readonly idempotencyKey?: string,
  ) {
    super(`${code}: ${reason}${suggestion === undefined ? '' : ` ${suggestion}`}`);
    Object.assign(this, facts, { code, reason, suggestion, details });
  }
}

/**
 * No answer came, after all retries. A write may have been carried out nevertheless: the same call with
 * `idempotencyKey` finds out, and does not do it twice.
 */
export class MarketUnreachable extends Error {
  override readonly name = 'MarketUnreachable';

  constructor(
    readonly attempts: number,
    cause: unknown,
    readonly idempotencyKey?: string,
  ) {
    super(
      `The market has not answered (${attempts} attempts): ${cause instanceof Error ? cause.message : 'no reason'}`,
      {
        cause,
      },
    );
  }
}

/** What the headers of a response say. */
export function factsOf({ status, headers }: Response): AnswerFacts {
  return {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    serviceVersion: headers.get('Service-Version') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
  };
}

/** The error of a body that was not understood is told by its status alone: gateways answer in forms of their own. */
export function errorBodyOf(value: unknown, status: number): ErrorBody {
  const told = typeof value === 'object' && value !== null && 'error' in value ? value.error : null;
  if (typeof told === 'object' && told !== null && 'code' in told && 'reason' in told) return told as ErrorBody;
  return { code: `http_${status}`, reason: 'The market has not answered.' };
}

/** Seconds of a `Retry-After`, which is a number or a date (RFC 9110). */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil((ms - Date.now()) / 1000));
}
