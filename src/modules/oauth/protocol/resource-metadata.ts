import type { Express } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { MCP_PATH } from '../../../platform/http/mcp-path.js';
import { DPOP_ALGORITHMS } from '../../credentials/dpop-proof.js';
import { SCOPES } from '../../credentials/scope.js';

const PATH = '/.well-known/oauth-protected-resource';
/** Resource paths. Clients append the path of their resource to the well-known path (RFC 9728 §3.1). */
const RESOURCES = ['', '/v1', MCP_PATH] as const;

/**
 * Serves the metadata of the protected resources (RFC 9728), which say where tokens come from. The interface is the
 * resource of the base URL, whatever path below `/v1` was asked about. The MCP endpoint is a resource of its own, because
 * its clients compare `resource` with the URL that they were given.
 */
export function mountResourceMetadata(express: Express, { baseUrl, displayName, mcpTools }: Environment): void {
  const common = {
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    resource_name: displayName,
    resource_documentation: `${baseUrl}/docs`,
  };
  const ofInterface = bytesOf({
    resource: baseUrl,
    ...common,
    scopes_supported: SCOPES,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  });
  // Its clients ask a person for every scope that is named here.
  const scopes = mcpTools === 'read' ? SCOPES.filter((scope) => scope === 'read') : SCOPES;
  const ofMcp = bytesOf({ resource: baseUrl + MCP_PATH, ...common, scopes_supported: scopes });
  for (const resource of RESOURCES) {
    const document = resource === MCP_PATH ? ofMcp : ofInterface;
    express.get(PATH + resource, (_request, response) => {
      // The document is public, so scripts of any origin may read it. The service's CORS rule has already set the
      // header for listed origins.
      if (!response.hasHeader('Access-Control-Allow-Origin')) response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Content-Length', document.length);
      response.setHeader('Cache-Control', 'public, max-age=300');
      response.end(document);
    });
  }
}

function bytesOf(document: object): Buffer {
  return Buffer.from(JSON.stringify(document), 'utf8');
}
