import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';

/** How long a page that was opened can be sent. */
const LIFETIME_MS = 3_600_000;
const NONCE_BYTES = 12;
/** Expiry in milliseconds, 96 random bits, HMAC-SHA-256. */
const TOKEN = /^([0-9]{1,16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

/**
 * Tokens that prove that a form was shown to this browser, for this page, within the last hour. Nothing is stored.
 * Every token is different, so a page that must not be sent twice can keep the hash of those it has taken.
 */
@Injectable()
export class FormTokens {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * @param binding a secret of the browser or of its session.
   * @param page names what the form does, and to what; a token for one page opens no other.
   */
  issue(binding: string, page: string): string {
    const expiresAt = String(this.clock.wallMs() + LIFETIME_MS);
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const mac = this.sealer.hmac('form-token', partsOf(binding, page, expiresAt, nonce));
    return `${expiresAt}.${nonce}.${mac.toString('base64url')}`;
  }

  /** @throws ApiError `invalid_request` for whatever was not issued here for this browser and page, and after an hour. */
  check(binding: string, page: string, token: unknown): void {
    const [, expiresAt = '', nonce = '', mac = ''] = (typeof token === 'string' && TOKEN.exec(token)) || [];
    const parts = partsOf(binding, page, expiresAt, nonce);
    const age = this.sealer.match('form-token', parts, Buffer.from(mac, 'base64url'));
    if (age === null || this.clock.wallMs() >= Number(expiresAt)) {
      throw new ApiError(
        'invalid_request',
        'This form has expired, or it was opened in another browser or for something else.',
        'Open the page again and send the form from there. Cookies must be allowed.',
      );
    }
  }
}

/** As JSON the parts cannot run into each other. */
function partsOf(...parts: [binding: string, page: string, expiresAt: string, nonce: string]): string {
  return JSON.stringify(parts);
}
