import type { Request } from 'express';
import { ApiError } from './api-error.js';

/**
 * Lets only POSTs of our own pages pass. A browser says in `Origin` which site a POST comes from, and no script can change
 * it; our pages must therefore not be sent with `Referrer-Policy: no-referrer`, which makes it `null`.
 * @throws ApiError `invalid_request` for a foreign or missing Origin.
 */
export function requireOwnOrigin(request: Request, baseUrl: string): void {
  const { origin } = new URL(baseUrl);
  if (request.headers.origin === origin) return;
  throw new ApiError(
    'invalid_request',
    'The form was not sent by a page of this service.',
    `Open the page at ${origin} and send the form from there.`,
  );
}
