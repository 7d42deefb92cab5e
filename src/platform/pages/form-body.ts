import type { Request, Response } from 'express';
import { ApiError } from '../http/api-error.js';
import { bodyReader } from '../http/input/body-bytes.js';
import { requireOwnOrigin } from '../http/own-origin.js';

/** The longest thing in a form of ours is the signature of a wallet contract that does not exist yet: 8 KiB in hex. */
const MAX_KIB = 20;
const MEDIA_TYPE = /^application\/x-www-form-urlencoded[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i;

const readBytes = bodyReader({ noun: 'form', maxKiB: MAX_KIB });

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
  const form = new URLSearchParams((await readBytes(request, response)).toString('utf8'));
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
