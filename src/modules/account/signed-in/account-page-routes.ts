import { applyDecorators, Controller, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WebErrorFilter } from '../../../platform/pages/web-error.filter.js';
import { SignInNeededFilter } from './sign-in-needed.filter.js';
import { SignedInGuard } from './signed-in.guard.js';

/** Why the routes need no scope. */
export const SESSION_IS_THE_CREDENTIAL = 'the browser session is the credential, and SignedInGuard asks for it';

/** A controller of pages for who is signed in. */
export function AccountPageController(path: string): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller({ path, version: VERSION_NEUTRAL }),
    UseGuards(SignedInGuard),
    // The last that fits an error takes it.
    UseFilters(WebErrorFilter, SignInNeededFilter),
  );
}
