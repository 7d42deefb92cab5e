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
 * The cookies of a browser: a secret that it has before anyone signs in, the token of its session, and the secret by
 * which it holds the actions that it has opened. No script can read any, no other site's form brings them along, and on https no other host can set them: the prefix `__Host-`
 * says so to the browser, or `__Secure-` where BASE_URL has a path, to which the cookies then keep.
 */
@Injectable()
export class BrowserCookies {
  private readonly prefix: string;
  private readonly options: CookieOptions;
  /** A secret that was given in this request is the one that the next reader of the same request gets. */
  private readonly given = new WeakMap<Request, string>();

  constructor({ baseUrl }: Environment) {
    const { protocol, pathname } = new URL(baseUrl);
    const secure = protocol === 'https:';
    const ownPrefix = pathname === '/' ? '__Host-' : '__Secure-';
    this.prefix = secure ? ownPrefix : '';
    this.options = { httpOnly: true, sameSite: 'lax', secure, path: pathname };
  }

  /** The browser's own secret; a browser that has none is given one with this answer. */
  bindingOf(request: Request, response: Response): string {
    const known = this.read(request, BINDING) ?? this.given.get(request);
    if (known !== undefined) return known;
    const secret = newBrowserSecret();
    this.given.set(request, secret);
    response.cookie(this.prefix + BINDING, secret, this.options);
    return secret;
  }

  /** The token of the browser's session; null when it has none that could be one. */
  readSession(request: Request): string | null {
    return this.read(request, SESSION) ?? null;
  }

  /** @param expiresAt when the session ends at the latest; the browser forgets the token then. */
  writeSession(response: Response, token: string, expiresAt: Date): void {
    response.cookie(this.prefix + SESSION, token, { ...this.options, expires: expiresAt });
  }

  clearSession(response: Response): void {
    response.clearCookie(this.prefix + SESSION, this.options);
  }

  /** The secret by which the browser holds actions; null when it has opened none. */
  readSigning(request: Request): string | null {
    return this.read(request, SIGNING) ?? null;
  }

  /** As `readSigning`; a browser that has none is given one with this answer, and other sites' links do not bring it. */
  signingOf(request: Request, response: Response): string {
    const known = this.readSigning(request);
    if (known !== null) return known;
    const secret = newBrowserSecret();
    response.cookie(this.prefix + SIGNING, secret, { ...this.options, sameSite: 'strict' });
    return secret;
  }

  /** A cookie that comes twice was set twice, and who set which cannot be told: then there is none. */
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
