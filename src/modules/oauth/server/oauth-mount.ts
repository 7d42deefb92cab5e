import type { INestApplication } from '@nestjs/common';
import type { Express, RequestHandler } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { OAuthLimits } from '../protocol/oauth-limits.js';
import { OAUTH_PATHS } from '../protocol/oauth-paths.js';
import { OAuthServer } from './oauth-server.js';
import { mountResourceMetadata } from '../protocol/resource-metadata.js';

const DOCUMENTS = [OAUTH_PATHS.metadata, OAUTH_PATHS.openidMetadata, OAUTH_PATHS.jwks];
const PAGES = [OAUTH_PATHS.authorization, OAUTH_PATHS.resume];

/**
 * Mounts the library on exactly its own paths, before any body is read. Each path is a route of Express, so that access
 * lines contain path templates and wrong methods are answered 405; all other paths stay with this service. Call it
 * before the application is initialised.
 *
 * With a path prefix in the base URL the document of RFC 8414 belongs to
 * `https://host/.well-known/oauth-authorization-server/prefix`, outside the prefix: the gateway must send that path to
 * `/.well-known/oauth-authorization-server` here, and likewise for the document of RFC 9728.
 */
export function mountOAuth(app: INestApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const { tokens, introspections, registrations } = app.get(OAuthLimits);
  const environment = app.get(Environment);
  const library = app.get(OAuthServer).handler();

  // Each path is a separate route, because the access line contains the route's path.
  for (const path of DOCUMENTS) express.get(path, cacheable, library);
  for (const path of PAGES) express.get(path, withoutHead, library);
  express.post(OAUTH_PATHS.authorization, library);
  express.post(OAUTH_PATHS.token, tokens, library);
  express.post(OAUTH_PATHS.introspection, introspections, library);
  for (const path of [OAUTH_PATHS.revocation, OAUTH_PATHS.pushedAuthorizationRequest]) express.post(path, library);
  if (environment.oauthDynamicRegistration) express.post(OAUTH_PATHS.registration, registrations, library);
  mountResourceMetadata(express, environment);
}

/** Caches a document for less time than a new signing key is published before it signs. */
const cacheable: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'public, max-age=300');
  next();
};

/** A HEAD request must not start an authorization. */
const withoutHead: RequestHandler = (request, response, next) => {
  if (request.method === 'HEAD') response.status(200).end();
  else next();
};
