import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { redirectTo } from './notices.js';
import { SignInNeeded } from './signed-in.guard.js';

/** Redirects a browser without a session to the sign-in page. */
@Injectable()
@Catch(SignInNeeded)
export class SignInNeededFilter implements ExceptionFilter<SignInNeeded> {
  constructor(private readonly environment: Environment) {}

  catch(_: SignInNeeded, host: ArgumentsHost): void {
    redirectTo(host.switchToHttp().getResponse<Response>(), this.environment.baseUrl, '/account/sign-in');
  }
}
