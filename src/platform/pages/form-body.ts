import express, { type Request, type Response } from 'express';
import { ApiError } from '../http/api-error.js';
import { requireOwnOrigin } from '../http/own-origin.js';

/** Bytes; the longest thing in a form of ours is the signature of a wallet contract that does not exist yet: 8 KiB in hex. */
const MAX_FORM = 20 * 1024;
const MEDIA_TYPE = /^application\/x-www-form-urlencoded[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i;

/** Compressed bodies are refused, as in the interface. */
const readBytes = express.raw({ limit: MAX_FORM, inflate: false, type: () => true });

/**
 * Reads a form that a page of this service sent.
 * @throws ApiError `invalid_request` (foreign or missing Origin, body that is no form of text), `unsupported_media_type` or
 *   `payload_too_large`.
 */
export async function readForm(request: Request, response: Response, baseUrl: string): Promise<URLSearchParams> {
  requireOwnOrigin(request, baseUrl);
  if (!MEDIA_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type', 'The body is not application/x-www-form-urlencoded.');
  }
  const form = new URLSearchParams((await bytesOf(request, response)).toString('utf8'));
  // No field of ours holds a NUL, and the database cannot store one.
  if ([...form.values()].some((value) => value.includes('\0'))) {
    throw new ApiError('invalid_request', 'The form holds a character that is no text.');
  }
  return form;
}

/** The one value of a field, without blanks around it; empty when it is missing or given more than once. */
export function fieldOf(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name);
  return more.length === 0 ? value.trim() : '';
}

async function bytesOf(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(refusalOf(error))));
  });
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

/** Errors of Express's body reader carry what happened in `type`. */
function refusalOf(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new ApiError('payload_too_large', 'The form is larger than 20 KiB.', undefined, { Connection: 'close' });
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', 'The form must be sent without a content encoding.');
    case 'request.size.invalid':
    case 'request.aborted':
      return new ApiError('invalid_request', 'The form is not as long as the request said.');
    default:
      return error;
  }
}
