import { type Hex, requestDigest } from '#libs/kernel';
import type { Request, Response } from 'express';
import { ApiError } from '../api-error.js';
import { bodyReader } from './body-bytes.js';
import { checkJsonMembers, JsonMembersError } from './json-members.js';

/** A larger body is 413 (docs/decisions/interface.md#errors). */
const MAX_KIB = 64;
const MEDIA_TYPE = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i;

/** What a request carried: the parsed body (undefined when it has no bytes) and its digest. */
export interface JsonBody {
  value: object | undefined;
  digest: Hex;
}

const readBytes = bodyReader({ noun: 'body', maxKiB: MAX_KIB });

/**
 * Reads the body of a request as one JSON object. A body without bytes, chunked or not, is no body. Its bytes are
 * charged to whoever pays for the request before they are parsed. Throws ApiError `payload_too_large`,
 * `unsupported_media_type`, `invalid_body`, `invalid_request` or `rate_limited`.
 */
export async function readJsonBody(request: Request, response: Response): Promise<JsonBody> {
  const bytes = await readBytes(request, response);
  if (bytes.length === 0) return { value: undefined, digest: requestDigest(undefined) };
  await request.context.payForBody?.(bytes.length);
  if (!MEDIA_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType();
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    checkJsonMembers(text);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new JsonMembersError('The body is not a JSON object.');
    }
    return { value, digest: requestDigest(value) };
  } catch (error) {
    throw invalidBody(error);
  }
}

function unsupportedMediaType(): ApiError {
  return new ApiError('unsupported_media_type', 'The body is not application/json in UTF-8.');
}

/** Says what is wrong where that is known without repeating what was sent. */
function invalidBody(error: unknown): ApiError {
  if (error instanceof JsonMembersError) return new ApiError('invalid_body', error.message);
  if (error instanceof SyntaxError) return new ApiError('invalid_body', 'The body is not valid JSON.');
  return new ApiError('invalid_body', 'The body holds text or a number that JSON cannot carry exactly.');
}
