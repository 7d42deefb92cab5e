import { applyDecorators, Controller, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WebErrorFilter } from '../../../platform/pages/web-error.filter.js';
import { SignInNeededFilter } from './sign-in-needed.filter.js';
import { SignedInGuard } from './signed-in.guard.js';

/** Reason why the account routes need no scope. */
export const SESSION_IS_THE_CREDENTIAL = 'the browser session is the credential, and SignedInGuard asks for it';

/** Decorator for a controller of pages that only signed-in people may open. */
export function AccountPageController(path: string): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller({ path, version: VERSION_NEUTRAL }),
    UseGuards(SignedInGuard),
    // NestJS gives an error to the last filter that matches.
    UseFilters(WebErrorFilter, SignInNeededFilter),
  );
}
