import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { readJsonBody } from '../../../platform/http/input/json-body.js';
import { requireOwnOrigin } from '../../../platform/http/own-origin.js';
import { readForm } from '../../../platform/pages/form-body.js';
import { prefersJson } from '../../../platform/pages/web-error.filter.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { SigningLimits } from './signing-limits.js';
import { type SigningVisit, SigningVisits } from './signing-visits.js';

/**
 * How a request enters a route below `/sign/`: it is from this site where it changes anything, its link and its browser
 * are known, and it is counted. Methods throw ApiError as `SigningVisits` and `SigningLimits` do.
 */
@Injectable()
export class SigningEntrance {
  constructor(
    private readonly environment: Environment,
    private readonly visits: SigningVisits,
    private readonly limits: SigningLimits,
    private readonly cookies: BrowserCookies,
  ) {}

  /** A visit that only reads, by the browser that has the action open. */
  async read(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.visits.findHeld(token, request);
    await this.limits.takeRead(visit, request);
    return visit;
  }

  /** The visit of `read` as it is some seconds later, when another browser may have the action; it is not counted again. */
  readAgain(token: string, request: Request): Promise<SigningVisit> {
    return this.visits.findHeld(token, request);
  }

  /** A visit of any browser that has the link, which only reads. */
  async view(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.visits.find(token, request);
    await this.limits.takeRead(visit, request);
    return visit;
  }

  /** A form or call of any browser that has the link. The caller reads its body. */
  async knock(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.visits.find(token, request);
    await this.limits.takeWrite(visit, request);
    return visit;
  }

  /** The form by which a browser asks to open the action. Its content is ignored. */
  async open(token: string, request: Request, response: Response): Promise<SigningVisit> {
    await readForm(request, response, this.environment.baseUrl);
    return this.knock(token, request);
  }

  /** The visit as it is after another browser was faster; it is not counted again. */
  again(token: string, request: Request): Promise<SigningVisit> {
    return this.visits.find(token, request);
  }

  /** A call of the page's script that changes something, and its JSON body. */
  async call(token: string, request: Request, response: Response): Promise<{ visit: SigningVisit; body: object }> {
    requireOwnOrigin(request, this.environment.baseUrl);
    const visit = await this.visits.findActing(token, request);
    await this.limits.takeWrite(visit, request);
    const { value = {} } = await readJsonBody(request, response);
    return { visit, body: value };
  }

  /** A form of this site, or a call of the page's script, that changes something. The body's content is ignored. */
  async decide(token: string, request: Request, response: Response): Promise<SigningVisit> {
    if (prefersJson(request)) {
      requireOwnOrigin(request, this.environment.baseUrl);
      await readJsonBody(request, response);
    } else await readForm(request, response, this.environment.baseUrl);
    const visit = await this.visits.findActing(token, request);
    await this.limits.takeWrite(visit, request);
    return visit;
  }

  /** The secret of this browser, which it gets now when it has none. */
  secretOf(request: Request, response: Response): string {
    return this.cookies.signingOf(request, response);
  }
}
