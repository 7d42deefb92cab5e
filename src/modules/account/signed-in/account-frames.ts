import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { AccountForms } from './account-forms.js';
import type { FormProblem } from '../page-parts/form-problem.js';
import { noticeOf } from './notices.js';
import type { AccountFrame } from '../page-parts/account-page.js';
import type { AccountVisit } from './signed-in.guard.js';

/** Makes the frame that all pages of one visit share. */
@Injectable()
export class AccountFrames {
  constructor(
    private readonly environment: Environment,
    private readonly forms: AccountForms,
  ) {}

  /** @param problem why the sent form was not carried out; null when there is no problem. */
  frameOf(visit: AccountVisit, request: Request, problem: FormProblem | null = null): AccountFrame {
    const { displayName, baseUrl } = this.environment;
    return {
      displayName,
      baseUrl,
      name: visit.account.name,
      walletAddress: visit.session.walletAddress,
      tokenFor: this.forms.tokensOf(visit),
      leaving: visit.leaving,
      notice: noticeOf(request),
      problem,
    };
  }
}
