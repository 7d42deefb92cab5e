import { type INestApplication, VersioningType } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, RequestHandler } from 'express';
import { discoveryLinks } from './discovery/discovery-paths.js';
import { mountDiscovery } from './discovery/mount-discovery.js';
import { mountDocuments } from './openapi/documents.js';
import { createOpenApiDocument } from './openapi/openapi-document.js';
import { describedOperations } from './modules/mcp/operations/described-operation.js';
import { mountMcpEntrance } from './modules/mcp/serving/mcp-entrance.js';
import { ToolCatalogue } from './modules/mcp/tools/tool-catalogue.js';
import { mountOAuth } from './modules/oauth/server/oauth-mount.js';
import { Environment } from './platform/config/environment.js';
import { accessLine } from './platform/http/access-record.js';
import { compressedAnswers } from './platform/http/server/compressed-answers.js';
import { cors } from './platform/http/headers/cors.middleware.js';
import { createExpressApp } from './platform/http/server/express-app.js';
import { type RequestOutcome, requestContext } from './platform/http/request-context.middleware.js';
import { isTrustedProxy } from './platform/http/trusted-proxy.js';
import { TasktreeExpressAdapter } from './platform/http/server/tasktree-express-adapter.js';
import { ServiceLog } from './platform/logging/service-log.js';
import { Metrics } from './platform/metrics/metrics.js';
import { limitConnections } from './platform/rate-limit/connection-limit.js';
import { IpLimitMiddleware } from './platform/rate-limit/ip-limit.middleware.js';
import { CURRENT_VERSION } from './platform/versioning/api-versions.js';

/** The HTTP side of the service, strict from the start; for `NestFactory.create`. */
export function createHttpAdapter({ trustedProxies, baseUrl }: Environment): TasktreeExpressAdapter {
  return new TasktreeExpressAdapter(createExpressApp(trustedProxies), { baseUrl, currentVersion: CURRENT_VERSION });
}

/** Everything in front of the routes, in its order. Call it before the application is initialised. */
export function configureApp(app: INestApplication): void {
  useUriVersions(app);
  const environment = app.get(Environment);
  const ipLimit = app.get(IpLimitMiddleware);
  boundConnections(app, environment);
  app.use(requestContext(reporter(app.get(ServiceLog), app.get(Metrics))));
  app.use(cors(environment.corsOrigins));
  app.use(compressedAnswers(environment.compressAnswers));
  app.use(limitAddresses(ipLimit));
  mountOAuth(app);
  mountMcpEntrance(app);
  const document = describeApp(app, environment);
  mountDocuments(app, document, environment, discoveryLinks(environment.baseUrl));
  const operations = describedOperations(document);
  app.get(ToolCatalogue).load(operations);
  mountDiscovery(app, document, operations);
}

/** The OpenAPI document of the application's routes. */
export function describeApp(app: INestApplication, environment: Environment): OpenAPIObject {
  return createOpenApiDocument(app, environment.baseUrl);
}

/** `/v1` is the path of the interface, whatever the service version (docs/decisions/interface.md#versions). */
export function useUriVersions(app: INestApplication): void {
  app.enableVersioning({ type: VersioningType.URI });
}

function boundConnections(app: INestApplication, { baseUrl, maxConnectionsPerAddress }: Environment): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const metrics = app.get(Metrics);
  limitConnections(app.getHttpServer(), {
    max: maxConnectionsPerAddress,
    isProxy: (address) => isTrustedProxy(express, address),
    service: { baseUrl, currentVersion: CURRENT_VERSION },
    onRefused: () => metrics.countRefusedConnection(),
  });
}

function limitAddresses(limit: IpLimitMiddleware): RequestHandler {
  return (request, response, next) => limit.use(request, response, next);
}

/** One log line and one measurement per request. */
function reporter(log: ServiceLog, metrics: Metrics): (outcome: RequestOutcome) => void {
  return (outcome) => {
    const line = accessLine(outcome);
    log.access(line);
    metrics.observeRequest({
      route: line.route,
      method: line.method,
      status: line.status,
      seconds: line.ms / 1000,
      limitOutcome: line.limit,
      idempotencyOutcome: line.idempotency,
    });
  };
}
