import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { publicPath } from '../../../platform/web/public-path.js';
import { OAuthServer, type PendingAuthorization } from '../oauth/oauth-server.js';
import { BrowserCookies } from '../sessions/browser-cookies.js';
import type { BrowserSessionEntity } from '../sessions/browser-session.entity.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';

/** One look of one browser at what an application asks for. */
export interface Visit {
  request: Request;
  response: Response;
  pending: PendingAuthorization;
  /** The browser's own secret. */
  binding: string;
  /** Who is signed in here; null = nobody. */
  session: BrowserSessionEntity | null;
  /** Public path of the interaction. */
  base: string;
}

/** Finds what an application asks for, for the browser in which it asked. */
@Injectable()
export class Interactions {
  constructor(
    private readonly oauth: OAuthServer,
    private readonly cookies: BrowserCookies,
    private readonly sessions: BrowserSessions,
    private readonly environment: Environment,
  ) {}

  /** @throws ApiError `not_found` when it is over or was begun in another browser. */
  async visit(uid: string, request: Request, response: Response): Promise<Visit> {
    const pending = await this.pending(uid, request, response);
    const binding = this.cookies.bindingOf(request, response);
    const session = await this.sessions.find(this.cookies.readSession(request));
    const base = publicPath(this.environment.baseUrl, `/oauth/interaction/${encodeURIComponent(pending.uid)}`);
    return { request, response, pending, binding, session, base };
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
