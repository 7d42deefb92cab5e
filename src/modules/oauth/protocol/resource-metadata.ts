import type { Express } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { DPOP_ALGORITHMS } from '../../credentials/dpop-proof.js';
import { SCOPES } from '../../credentials/scope.js';

const PATH = '/.well-known/oauth-protected-resource';
/** Resource paths. Clients append the path of their resource to the well-known path (RFC 9728 §3.1). */
const RESOURCES = ['', '/v1', '/mcp'] as const;

/** Serves the metadata of the protected resource (RFC 9728), which says where tokens come from. */
export function mountResourceMetadata(express: Express, { baseUrl, displayName }: Environment): void {
  const document = Buffer.from(
    JSON.stringify({
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      resource_name: displayName,
      resource_documentation: `${baseUrl}/docs`,
    }),
    'utf8',
  );
  for (const resource of RESOURCES) {
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
