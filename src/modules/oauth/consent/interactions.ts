import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { OAuthServer, type PendingAuthorization } from '../server/oauth-server.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import type { BrowserSessionEntity } from '../../accounts/browser-session.entity.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { SessionLimit } from '../../accounts/sessions/session-limit.js';

/** One request of a browser within an interaction. */
export interface Visit {
  request: Request;
  response: Response;
  pending: PendingAuthorization;
  /** The browser's own secret. */
  binding: string;
  /** Session of the person signed in here; null = none. */
  session: BrowserSessionEntity | null;
  /**
   * True when the wallet signed in recently enough to allow an application. An older session might be stolen, and a
   * thief must not be able to connect applications.
   */
  isFresh: boolean;
  /** Public path of the interaction. */
  base: string;
}

/** Time after a wallet's signature in which the person can allow an application. */
const FRESH_MS = 10 * 60_000;

/** Finds the pending authorization of a browser. */
@Injectable()
export class Interactions {
  constructor(
    private readonly oauth: OAuthServer,
    private readonly cookies: BrowserCookies,
    private readonly sessions: BrowserSessions,
    private readonly limit: SessionLimit,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the interaction and the browser's session. @throws ApiError `not_found` when the interaction is over or was
   * started in another browser; `rate_limited`.
   */
  async visit(uid: string, request: Request, response: Response): Promise<Visit> {
    const pending = await this.pending(uid, request, response);
    const binding = this.cookies.bindingOf(request, response);
    const token = this.cookies.readSession(request);
    this.limit.assertNotOver(request, token);
    const session = await this.sessions.find(token);
    if (session !== null) await this.limit.take(request, token, session.accountId);
    const base = publicPath(this.environment.baseUrl, `/oauth/interaction/${encodeURIComponent(pending.uid)}`);
    const isFresh = session !== null && this.clock.wallMs() - session.createdAt.getTime() < FRESH_MS;
    return { request, response, pending, binding, session, isFresh, base };
  }

  private async pending(uid: string, request: Request, response: Response): Promise<PendingAuthorization> {
    const pending = await this.oauth.pending(request, response).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'not_found' ? itIsOver() : error;
    });
    if (pending.uid !== uid) throw itIsOver();
    return pending;
  }
}

function itIsOver(): ApiError {
  return new ApiError(
    'not_found',
    'This request to connect an application is finished, has expired, or was opened in another browser.',
    'If the application does not say that it is connected, go back to it and connect it again.',
  );
}
