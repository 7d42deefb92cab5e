import { ApiError } from '../http/api-error.js';

const MAX_CHARACTERS = 255;
const OPTIONAL_WHITE_SPACE = /^[\t ]+|[\t ]+$/g;

/**
 * The `Idempotency-Key` of a request as the octets that were sent, one per character, without the white space around
 * it. The text is opaque: case, quotes and every other octet count (docs/decisions/http.md#idempotency-keys).
 * @param values the header's values, one per time it was sent.
 * @throws ApiError `idempotency_key_missing` or `idempotency_key_invalid`.
 */
export function idempotencyKeyOf(values: readonly string[] | undefined): string {
  if (values === undefined || values.length === 0) {
    throw new ApiError(
      'idempotency_key_missing',
      'This operation needs an Idempotency-Key header.',
      'Send a new random key (16 bytes or more) with each new request, and the same one when you retry it.',
    );
  }
  const [value = ''] = values;
  const key = value.replace(OPTIONAL_WHITE_SPACE, '');
  if (values.length > 1 || key.length === 0 || key.length > MAX_CHARACTERS) {
    throw new ApiError(
      'idempotency_key_invalid',
      `The Idempotency-Key header must be sent once and hold 1 to ${MAX_CHARACTERS} characters.`,
    );
  }
  return key;
}
