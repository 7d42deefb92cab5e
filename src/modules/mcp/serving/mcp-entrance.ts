import type { INestApplication } from '@nestjs/common';
import type { Express, Request, RequestHandler } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { MCP_PATH } from '../../../platform/http/mcp-path.js';
import { isTrustedProxy } from '../../../platform/http/trusted-proxy.js';

/**
 * Refuses requests that a page of another site makes a browser send: by their Origin, or by a Host that only a rebound
 * name can have brought here (DNS rebinding). Stands before authentication, and only in front of the MCP endpoint, which
 * people run on their own machine. Call it before the application is initialised.
 */
export function mountMcpEntrance(app: INestApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const { baseUrl, corsOrigins, mcpHosts } = app.get(Environment);
  const { origin, host } = new URL(baseUrl);
  const hosts = new Set([host, ...mcpHosts]);
  const origins = new Set([origin, ...corsOrigins]);
  const enter: RequestHandler = (request, _response, next) => {
    request.context.countsAsRead = true;
    next(refusalOf(request, { hosts, origins }));
  };
  express.post(MCP_PATH, enter);
}

function refusalOf(
  { app, socket, headers: { origin, host } }: Request,
  { hosts, origins }: { hosts: ReadonlySet<string>; origins: ReadonlySet<string> },
): ApiError | undefined {
  if (origin !== undefined && !origins.has(origin)) {
    return new ApiError('origin_not_allowed', 'Pages of this origin may not call the MCP endpoint.');
  }
  // A proxy that the operator named sends what Host it likes, and no browser gets past it.
  if (isTrustedProxy(app, socket.remoteAddress) || hosts.has((host ?? '').toLowerCase())) return undefined;
  return new ApiError(
    'origin_not_allowed',
    'The MCP endpoint is not called under this Host.',
    'Use the URL that the operator gave you. A gateway that sends another Host is named in MCP_HOSTS.',
  );
}
