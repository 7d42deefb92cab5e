import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { readForm } from '../../../platform/pages/form-body.js';
import { FormTokens } from '../../../platform/pages/form-tokens.js';
import type { AccountVisit } from './signed-in.guard.js';

const OF_ONE = /^(\/account\/(?:keys|sessions))\/[^/]+\/([a-z]+)$/;

/**
 * Forms of the account pages. A token does what it was made for, in the one session it was shown to: ending the session
 * ends its forms.
 */
@Injectable()
export class AccountForms {
  constructor(
    private readonly tokens: FormTokens,
    private readonly environment: Environment,
  ) {}

  /** Makes the tokens of a page: of the path that a form is sent to, without the base URL's. */
  tokensOf({ binding }: AccountVisit): (path: string) => string {
    return (path) => this.tokens.issue(binding, deedAt(path));
  }

  /**
   * The form that was sent.
   * @param page what the token was made for; by default the path of the request.
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

/** A path without the key or session it names: whose that is, its service asks. */
function deedAt(path: string): string {
  return path.replace(OF_ONE, '$1/$2');
}
