import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';

const BINDING = 'tasktree_browser';
const SESSION = 'tasktree_session';
const SIGNING = 'tasktree_signing';
/** 256 bits. */
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A new secret of 256 random bits, as the cookies hold it: 43 characters of base64url. */
export function newBrowserSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Reads and writes the cookies of a browser: a secret that it has before anyone signs in, the token of its session, and
 * the secret that holds the actions it has opened. No script can read them, and no form of another site sends them. On
 * https no other host can set them: the prefix `__Host-` tells the browser so, or `__Secure-` where BASE_URL has a
 * path, to which the cookies are then limited.
 */
@Injectable()
export class BrowserCookies {
  private readonly prefix: string;
  private readonly options: CookieOptions;
  /** Secrets issued during a request, so that a second read of the same request returns the same secret. */
  private readonly given = new WeakMap<Request, string>();

  constructor({ baseUrl }: Environment) {
    const { protocol, pathname } = new URL(baseUrl);
    const secure = protocol === 'https:';
    const ownPrefix = pathname === '/' ? '__Host-' : '__Secure-';
    this.prefix = secure ? ownPrefix : '';
    this.options = { httpOnly: true, sameSite: 'lax', secure, path: pathname };
  }

  /** Returns the secret of the browser. A browser that has none gets one with this answer. */
  bindingOf(request: Request, response: Response): string {
    const known = this.read(request, BINDING) ?? this.given.get(request);
    if (known !== undefined) return known;
    const secret = newBrowserSecret();
    this.given.set(request, secret);
    response.cookie(this.prefix + BINDING, secret, this.options);
    return secret;
  }

  /** Returns the token of the browser's session; null when there is none or it is malformed. */
  readSession(request: Request): string | null {
    return this.read(request, SESSION) ?? null;
  }

  /** @param expiresAt latest end of the session, at which the browser deletes the cookie. */
  writeSession(response: Response, token: string, expiresAt: Date): void {
    response.cookie(this.prefix + SESSION, token, { ...this.options, expires: expiresAt });
  }

  clearSession(response: Response): void {
    response.clearCookie(this.prefix + SESSION, this.options);
  }

  /** Returns the secret that holds the browser's opened actions; null when it has opened none. */
  readSigning(request: Request): string | null {
    return this.read(request, SIGNING) ?? null;
  }

  /**
   * As `readSigning`, but a browser that has no secret gets one with this answer. The cookie is not sent when the
   * person follows a link of another site.
   */
  signingOf(request: Request, response: Response): string {
    const known = this.readSigning(request);
    if (known !== null) return known;
    const secret = newBrowserSecret();
    response.cookie(this.prefix + SIGNING, secret, { ...this.options, sameSite: 'strict' });
    return secret;
  }

  /** Returns undefined when a cookie comes twice, because nothing tells which of the two this service has set. */
  private read(request: Request, name: string): string | undefined {
    const start = `${this.prefix}${name}=`;
    const [value, ...more] = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(start))
      .map((pair) => pair.slice(start.length));
    return value !== undefined && more.length === 0 && SECRET.test(value) ? value : undefined;
  }
}
