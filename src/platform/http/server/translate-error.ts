import { types } from 'node:util';
import { HttpException } from '@nestjs/common';
import { ApiError } from '../api-error.js';
import type { ErrorCode } from '../error-codes.js';

/**
 * SQLSTATE classes and codes that say "not now" rather than "wrong": connection lost (08), too many of something (53),
 * server stopping (57P0x), statement or lock timeout, serialisation failure, deadlock.
 */
const PASSING_SQLSTATE = /^(?:08...|53...|57P0[1-5]|57014|55P03|40001|40P01|25P0[34])$/;

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What `pg` and TypeORM say about connections without giving a code; one that was lost releases its query runner. */
const CONNECTION_TEXTS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Driver not Connected|Query runner already released|Database connection provided by a query runner was already released|Connection is not established|The client (?:was|is) closed)/i;

const CODE_OF_STATUS: Readonly<Partial<Record<number, ErrorCode>>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'service_unavailable',
};

/** Texts for refusals by frameworks, whose own texts may repeat what was sent. */
const REASON_OF_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'The request is malformed.',
  not_found: 'There is no such resource.',
  method_not_allowed: 'The path does not have this method.',
  payload_too_large: 'The body is too large.',
  uri_too_long: 'The request target is too long.',
  unsupported_media_type: 'The body is of a media type that is not supported.',
  rate_limited: 'The rate limit is exceeded.',
  headers_too_large: 'The request headers are too large.',
  service_unavailable: 'The service is not available at the moment.',
};

/** The refusal that an error of any origin is shown as. Nothing of an unexpected error reaches the caller. */
export function translateError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutOfTime(error)) {
    return new ApiError('service_unavailable', 'This takes longer than the service allows.', 'Try again in a moment.');
  }
  if (isPassingFault(error)) {
    return new ApiError('service_unavailable', 'The service cannot reach a part it needs.', 'Retry the same request.');
  }
  const status = error instanceof HttpException ? error.getStatus() : statusOfHttpError(error);
  const code = status === undefined ? undefined : codeOfStatus(status);
  if (code === undefined) return new ApiError('internal_error', 'The service failed; nothing was changed.');
  return new ApiError(code, REASON_OF_CODE[code] ?? 'The request is refused.');
}

/** True for a read whose time was over; nothing is unreachable then. */
function isOutOfTime(error: unknown): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === '57014';
}

function codeOfStatus(status: number): ErrorCode | undefined {
  return CODE_OF_STATUS[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : undefined);
}

/** Errors of Express and its parts carry a status; those of 5xx are faults of ours. */
function statusOfHttpError(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('expose' in error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' && error.status < 500 ? error.status : undefined;
}

/** True when the database or another server was not reachable, or refused for the moment. */
export function isPassingFault(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if ('driverError' in error && error.driverError !== error && isPassingFault(error.driverError)) return true;
  if (error instanceof AggregateError && error.errors.some(isPassingFault)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NETWORK_CODES.has(code) || PASSING_SQLSTATE.test(code) || CONNECTION_TEXTS.test(error.message);
}
