import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { ERROR_CODES } from '../platform/http/error-codes.js';
import { CURRENT_VERSION, PUBLISHED_VERSIONS } from '../platform/versioning/api-versions.js';
import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;

/** Every code with its status and meaning, for those that write clients. */
const ERROR_TABLE = Object.fromEntries(
  Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [code, { status, meaning }]),
);

/** spec: Error */
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
      },
    },
  },
  example: { error: { code: 'not_found', reason: 'There is no such resource for this caller.' } },
};

/** spec: Shared types, Identifier */
export const IDENTIFIER_SCHEMA: NonNullable<Components['schemas']>[string] = {
  type: 'string',
  pattern: IDENTIFIER_PATTERN.source,
  example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
};

/** design/interface.md §4 */
export const SERVICE_VERSION_PARAMETER: NonNullable<Components['parameters']>[string] = {
  name: 'Service-Version',
  in: 'header',
  required: false,
  description: `The published version to be served with. Absent: the version pinned to the credential. Published: ${PUBLISHED_VERSIONS.join(', ')}.`,
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  example: CURRENT_VERSION,
};
