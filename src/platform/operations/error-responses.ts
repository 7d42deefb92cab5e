import { ApiResponse } from '@nestjs/swagger';
import type { ErrorBody } from '../http/api-error.js';
import { ERROR_CODES, type ErrorCode } from '../http/error-codes.js';

/** What every operation may answer, whatever it does. */
const EVERY_OPERATION: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  'unknown_parameter',
  'invalid_version',
  'unsupported_version',
  'ambiguous_credentials',
  'unauthenticated',
  'invalid_api_key',
  'api_key_expired',
  'api_key_revoked',
  'invalid_token',
  'invalid_dpop_proof',
  'insufficient_scope',
  'account_suspended',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** What every operation that writes may answer as well. */
const EVERY_WRITE: readonly ErrorCode[] = [
  'invalid_body',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_key_conflict',
  'idempotency_in_progress',
  'payload_too_large',
  'quota_exceeded',
  'unsupported_media_type',
];

/** What decides which errors an operation may answer. */
export interface OperationErrors {
  kind: 'list' | 'read' | 'link' | 'stream' | 'write';
  /** Path below the controller's; with a parameter in it, the operation may answer `not_found`. */
  path: string;
  errors: readonly ErrorCode[];
}

/** Every error code of an operation, in the order of the table of codes. */
export function errorCodesOf({ kind, path, errors }: OperationErrors): ErrorCode[] {
  const codes = new Set<ErrorCode>([...EVERY_OPERATION, ...errors]);
  if (kind === 'write') EVERY_WRITE.forEach((code) => codes.add(code));
  if (kind === 'list' || kind === 'stream') codes.add('invalid_cursor');
  if (path.includes(':')) codes.add('not_found');
  return allCodes().filter((code) => codes.has(code));
}

/** One documented response per status, with its codes and an example of each. */
export function errorResponses(operation: OperationErrors): MethodDecorator[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) =>
    ApiResponse({
      status,
      description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    }),
  );
}

function exampleOf(code: ErrorCode): ErrorBody {
  return code === 'invalid_body' ? WRONG_BODY : { error: { code, reason: ERROR_CODES[code].meaning } };
}

const WRONG_BODY: ErrorBody = {
  error: {
    code: 'invalid_body',
    reason: 'task_id is required. One more is in details.',
    details: [
      { path: 'task_id', reason: 'task_id is required.' },
      { path: 'price.currency', reason: 'price.currency is USDC.' },
    ],
  },
};

function allCodes(): ErrorCode[] {
  return Object.keys(ERROR_CODES).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));
}
