import type { Response } from 'express';
import type { DeclineAnswer, LinkAnswer } from '#libs/approval-wire';
import { applyDecorators, Controller, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ErrorFilter } from '../../platform/http/server/error.filter.js';
import { WebErrorFilter } from '../../platform/pages/web-error.filter.js';
import { TopLevelGuard } from './top-level.guard.js';

/** The reason given to `@Public` for these routes. */
export const LINK_IS_THE_CREDENTIAL =
  'the token in the path, and the browser that has the action open, are the credential';

/** A controller of pages and forms below `/sign/`. */
export function SigningPageRoutes(): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller({ path: 'sign', version: VERSION_NEUTRAL }),
    UseGuards(TopLevelGuard),
    UseFilters(WebErrorFilter),
  );
}

/** A controller of the routes below `/sign/` that the page's script calls: answers and errors are JSON. */
export function SigningDataRoutes(): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller({ path: 'sign', version: VERSION_NEUTRAL }),
    UseFilters(ErrorFilter),
  );
}

/** Answers the page's script, for a route that answers forms with a page. */
export function sendAnswer(response: Response, answer: DeclineAnswer | LinkAnswer): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.status(200).end(JSON.stringify(answer));
}
