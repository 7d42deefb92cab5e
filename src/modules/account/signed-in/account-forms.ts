import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { readForm } from '../../../platform/pages/form-body.js';
import { FormTokens } from '../../../platform/pages/form-tokens.js';
import type { AccountVisit } from './signed-in.guard.js';

const OF_ONE = /^(\/account\/(?:keys|sessions|webhooks))\/[^/]+\/([a-z]+)$/;

/**
 * Form tokens of the account pages. A token is valid only for the action it was issued for and in the session it was
 * issued to, so ending the session invalidates its forms.
 */
@Injectable()
export class AccountForms {
  constructor(
    private readonly tokens: FormTokens,
    private readonly environment: Environment,
  ) {}

  /** Returns a function that issues a form token for a target path (without the base URL's path). */
  tokensOf({ binding }: Pick<AccountVisit, 'binding'>): (path: string) => string {
    return (path) => this.tokens.issue(binding, deedAt(path));
  }

  /**
   * Reads the form of the request and checks its token.
   * @param page path that the token was issued for; by default the path of the request.
   * @throws ApiError as `readForm` and `FormTokens.check`.
   */
  async read(
    { binding }: Pick<AccountVisit, 'binding'>,
    request: Request,
    response: Response,
    page = request.path,
  ): Promise<URLSearchParams> {
    const form = await readForm(request, response, this.environment.baseUrl);
    this.tokens.check(binding, deedAt(page), form.get('form_token'));
    return form;
  }
}

/**
 * A path without the id of its key, session or webhook endpoint. One token serves all of them, because the service checks
 * to whom the id belongs.
 */
function deedAt(path: string): string {
  return path.replace(OF_ONE, '$1/$2');
}
