import { MCP_PATH } from '../../../platform/http/mcp-path.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';
import { authorizationCodeFlow, OAUTH_PATHS } from '../../oauth/protocol/oauth-paths.js';
import type { NamedInterface } from './named-interface.js';

/**
 * The interfaces of the market in a card of A2A. Neither speaks A2A, so neither names a binding of A2A: each is told by the
 * address of its description (A2A 1.0, section 5.8), which a client that knows A2A alone passes over.
 */
export function marketInterfaces(baseUrl: string): NamedInterface[] {
  const spokenAt = (path: string, described: string) => ({
    url: baseUrl + path,
    protocolBinding: baseUrl + described,
    protocolVersion: CURRENT_VERSION,
  });
  return [spokenAt(MCP_PATH, `${MCP_PATH}/server-card`), spokenAt('/v1', '/openapi.json')];
}

/** How a caller proves to either of them who it is (A2A 1.0, section 4.5). */
export function marketSecurity(baseUrl: string): Record<string, object> {
  return {
    apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: { ...authorizationCodeFlow(baseUrl), pkceRequired: true },
        },
        oauth2MetadataUrl: baseUrl + OAUTH_PATHS.metadata,
      },
    },
  };
}
