import { createHash, randomBytes } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import { OAuthServer } from '../../../src/modules/oauth/server/oauth-server.js';
import { limitsOfCap } from '../../../src/modules/credentials/spending/spend-limits.js';
import { isScope, type Scope } from '../../../src/modules/credentials/scope.js';
import { BrowserCookies } from '../../../src/modules/accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../../src/modules/accounts/sessions/browser-sessions.js';
import { translateError } from '../../../src/platform/http/server/translate-error.js';
import type { ListeningService } from '../../support/listening-service.js';

export const REDIRECT = 'http://127.0.0.1:7777/callback';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Replaces the pages: `?as=` is the account whose wallet was proved, `?do=` the button that was pressed. */
export function answersWithoutPages(app: INestApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const [server, sessions, cookies] = [app.get(OAuthServer), app.get(BrowserSessions), app.get(BrowserCookies)];
  express.get('/oauth/interaction/:uid', async (request, response) => {
    const query = new URL(request.url, 'http://x').searchParams;
    try {
      const pending = await server.pending(request, response);
      if (query.get('do') === 'look') return void response.json(pending);
      if (query.get('do') === 'cancel') return await server.cancel(request, response);
      if (pending.prompt === 'login' || query.get('do') === 'switch') {
        const accountId = String(query.get('as'));
        const own = { accountId, walletAddress: WALLET, userAgent: 'spec', requestId: 'spec' };
        const { token, session } = await sessions.start(own);
        cookies.writeSession(response, token, session.expiresAt);
        return await server.finishSignIn(request, response, accountId);
      }
      const scopes: Scope[] = query.getAll('scope').filter(isScope);
      const cap = query.get('cap');
      await server.finishConsent(request, response, {
        scopes: scopes.length === 0 ? pending.scopes : scopes,
        limits: cap === null ? null : limitsOfCap(BigInt(cap)),
      });
    } catch (error) {
      const refusal = translateError(error);
      response.status(refusal.status).json(refusal.body());
    }
  });
}

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: any;
}

export interface AuthorizeOptions {
  /** Parameters of the request to add or replace; undefined leaves one out. */
  params?: Record<string, string | undefined>;
  /** The scopes that the person allows; absent: all that were asked for. */
  allow?: readonly Scope[];
  cap?: bigint;
}

/** One browser with one person in it, and an application that follows the redirects itself. */
export class OAuthDriver {
  readonly cookies = new Map<string, string>();
  readonly verifier = randomBytes(32).toString('base64url');
  /** Where the last answer redirected to. */
  location = '';

  constructor(
    readonly service: ListeningService,
    readonly clientId: string,
    readonly accountId: string,
  ) {}

  /** Registers an application as it would register itself: public, on the person's own machine. */
  static async register(service: ListeningService, own: Record<string, unknown> = {}): Promise<any> {
    const answer = await fetch(`${service.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Spec', redirect_uris: [REDIRECT], ...own }),
    });
    return answer.json();
  }

  authorizeUrl(params: Record<string, string | undefined> = {}): string {
    const all: Record<string, string | undefined> = {
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'read buyer',
      state: 's-1',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...params,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
    return `${this.service.url}/oauth/authorize?${query.toString()}`;
  }

  /** Sends one request of the browser, with its cookies, without following redirects. */
  async visit(url: string, headers: Record<string, string> = {}): Promise<Response> {
    const target = new URL(url, this.service.url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(target, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, ...headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.location = answer.headers.get('location') ?? '';
    return answer;
  }

  /** Begins an authorization and follows it until a page asks for something. @returns the path of that page. */
  async begin(params: Record<string, string | undefined> = {}): Promise<string> {
    await this.visit(this.authorizeUrl(params));
    return this.location;
  }

  /** Goes through to the application. @returns the parameters that it receives. */
  async authorize({ params = {}, allow = [], cap }: AuthorizeOptions = {}): Promise<URLSearchParams> {
    let next = await this.begin(params);
    const query = new URLSearchParams(allow.map((scope) => ['scope', scope]));
    query.set('as', this.accountId);
    if (cap !== undefined) query.set('cap', cap.toString());
    for (let step = 0; step < 6 && !next.startsWith(REDIRECT); step += 1) {
      const answer = await this.visit(next.includes('/oauth/interaction/') ? `${next}?${query.toString()}` : next);
      if (answer.status !== 303) throw new Error(`${next}: ${answer.status} ${await answer.text()}`);
      next = this.location;
    }
    return new URL(next).searchParams;
  }

  /** A code that can be exchanged. */
  async code(options: AuthorizeOptions = {}): Promise<string> {
    const answer = await this.authorize(options);
    return answer.get('code') ?? `no code: ${answer.toString()}`;
  }

  async token(form: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', { client_id: this.clientId, ...form }, headers);
  }

  exchange(code: string, own: Record<string, string> = {}): Promise<TokenAnswer> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: this.verifier };
    return this.token({ ...form, ...own });
  }

  refresh(token: string, own: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...own });
  }

  async post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    const body = new URLSearchParams(form);
    const answer = await fetch(`${this.service.url}${path}`, { method: 'POST', body, headers });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  }

  /** The status with which the API answers an access token. */
  async opens(token: string): Promise<number> {
    const answer = await fetch(`${this.service.url}/v1/tasks`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return answer.status;
  }
}
