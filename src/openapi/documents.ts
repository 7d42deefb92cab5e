import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import { REFERENCE_REDIRECT_PATH } from '../modules/oauth/protocol/reference-client.js';
import type { EventType } from '../modules/events/catalogue/event.js';
import { isEventType, schemaPath } from '../modules/events/catalogue/event-types.js';
import type { Environment } from '../platform/config/environment.js';
import { REFERENCE_POLICY } from '../platform/http/headers/content-security-policies.js';
import { ApiError } from '../platform/http/api-error.js';
import { StaticAnswer } from '../platform/http/static-answer.js';
import { createAsyncApiDocument } from './asyncapi-document.js';
import { eventSchema } from './event-schemas.js';
import { documentationPage, pageScript, redirectPage, redirectScript } from './documentation-page.js';

/** Nobody who opens these pages gets hold of them; what "Authorize" opens answers by a channel of this origin. */
const PAGE_HEADERS = {
  'Content-Security-Policy': REFERENCE_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Files of Swagger UI that the page uses; nothing else of the package is served, and nothing from elsewhere. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/**
 * Serves `/openapi.json` and, to read it and to try it out, `/docs`; `/asyncapi.json` and the schema of each event: all from
 * memory.
 * @param links the `Link` header of what a stranger may open first, which leads to everything else.
 */
export function mountDocuments(
  app: INestApplication,
  document: OpenAPIObject,
  environment: Environment,
  links: string,
): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const serve = (path: string, mediaType: string, text: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = new StaticAnswer(mediaType, text, environment.compressAnswers ? undefined : []);
    express.get(path, (request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return answer.send(request, response);
    });
  };
  const leading = { Link: links };
  const events = JSON.stringify(createAsyncApiDocument(document, environment.baseUrl));
  serve('/openapi.json', 'application/json', JSON.stringify(document), leading);
  serve('/asyncapi.json', 'application/json', events, leading);
  serveEventSchemas(express, document, environment);
  serve('/docs', 'text/html; charset=utf-8', documentationPage(environment), {
    ...PAGE_HEADERS,
    ...leading,
  });
  serve('/docs/page.js', 'text/javascript; charset=utf-8', pageScript(environment));
  serve('/docs/redirect.js', 'text/javascript; charset=utf-8', redirectScript());
  serve(REFERENCE_REDIRECT_PATH, 'text/html; charset=utf-8', redirectPage(environment), PAGE_HEADERS);
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(ASSETS)) {
    serve(`/docs/${name}`, type, readFileSync(join(folder, name), 'utf8'));
  }
}

/**
 * Serves the schema of each event, made when it is first asked for. One route for all, because every request passes the
 * routes that stand before its own.
 */
function serveEventSchemas(express: Express, document: OpenAPIObject, { baseUrl, compressAnswers }: Environment): void {
  const made = new Map<EventType, StaticAnswer>();
  express.get(schemaPath(':type'), (request, response, next) => {
    const { type } = request.params;
    if (!isEventType(type)) return next(new ApiError('not_found', 'There is no event of this type.'));
    const text = () => JSON.stringify(eventSchema(document, baseUrl, type));
    const answer =
      made.get(type) ?? new StaticAnswer('application/schema+json', text(), compressAnswers ? undefined : []);
    made.set(type, answer);
    return answer.send(request, response);
  });
}
