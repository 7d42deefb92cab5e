import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { ERROR_CODES } from '../platform/http/error-codes.js';
import { CURRENT_VERSION, PUBLISHED_VERSIONS } from '../platform/versioning/api-versions.js';
import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;

/** Every code with its status and meaning, for those that write clients. */
const ERROR_TABLE = Object.fromEntries(
  Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [code, { status, meaning }]),
);

/** The one shape of an error (docs/decisions/interface.md#errors). */
export const ERROR_SCHEMA: NonNullable<Components['schemas']>[string] & { 'x-error-codes': object } = {
  type: 'object',
  'x-error-codes': ERROR_TABLE,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'reason'],
      properties: {
        code: { type: 'string', description: 'Stable code. Open enumeration.', pattern: '^[a-z][a-z0-9_]*$' },
        reason: { type: 'string', description: 'What is wrong, in a sentence for people.' },
        suggestion: { type: 'string', description: 'What to do about it.' },
        details: {
          type: 'array',
          description: 'Every member or parameter that is wrong, where that is what is wrong with the request.',
          items: {
            type: 'object',
            required: ['path', 'reason'],
            properties: {
              path: {
                type: 'string',
                description: 'Where: `budget.amount` is `amount` inside `budget`; empty for the whole body.',
              },
              reason: { type: 'string', description: 'What is wrong there, in a sentence for people.' },
              limit: {
                type: 'string',
                description:
                  'Of `spend_limit_exceeded`: the limit, as `spend_policy` of GET /v1/me names it. Values: per_payment, ' +
                  'per_day, total. Open enumeration.',
              },
              left: { $ref: '#/components/schemas/Money', description: 'What is left of it.' },
              refills_at: {
                type: ['string', 'null'],
                format: 'date-time',
                description: 'When it refills; null: never.',
              },
            },
          },
        },
      },
    },
  },
  example: { error: { code: 'not_found', reason: 'There is no such resource for this caller.' } },
};

/** What every id looks like (docs/decisions/interface.md#types-on-the-wire). */
export const IDENTIFIER_SCHEMA: NonNullable<Components['schemas']>[string] = {
  type: 'string',
  pattern: IDENTIFIER_PATTERN.source,
  example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
};

/** The header that makes an answer which the caller has already a 304; on every operation whose answers have an `ETag`. */
export const IF_NONE_MATCH_PARAMETER: NonNullable<Components['parameters']>[string] = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the answer that the caller has, or several with commas between. If the answer is still that one, the ' +
    'response is 304 without a body; it counts as any other request. Ignored on pages after the first.',
  schema: { type: 'string' },
  example: '"pPBcjvDtzgxgkyTUHDmUvA"',
};

/** The header that asks for a version (docs/decisions/interface.md#versions). */
export const SERVICE_VERSION_PARAMETER: NonNullable<Components['parameters']>[string] = {
  name: 'Service-Version',
  in: 'header',
  required: false,
  description:
    'The version to be served with: a published one, or a date between two, which is served with the older one. ' +
    `Absent: the version pinned to the credential. Published: ${PUBLISHED_VERSIONS.join(', ')}.`,
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  example: CURRENT_VERSION,
};
