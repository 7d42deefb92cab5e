import { MCP_PATH } from '../platform/http/mcp-path.js';
import { DISCOVERY_PATHS, SERVER_CARD_TYPE } from './discovery-paths.js';

const JSON_TYPE = 'application/json';

/**
 * The interfaces of the service and where each is described: a set of links (RFC 9264) for the well-known place of
 * RFC 9727. Health is not among them, because it is on a listener that is not public.
 */
export function apiCatalog(baseUrl: string): object {
  const link = (path: string, type: string) => ({ href: baseUrl + path, type });
  const [operations, tools] = [`${baseUrl}/v1`, baseUrl + MCP_PATH];
  const inWords = [
    link('/docs', 'text/html'),
    ...[DISCOVERY_PATHS.reference, DISCOVERY_PATHS.skill].map((path) => link(path, 'text/markdown')),
  ];
  return {
    linkset: [
      { anchor: baseUrl + DISCOVERY_PATHS.apiCatalog, item: [{ href: operations }, { href: tools }] },
      {
        anchor: operations,
        'service-desc': [link('/openapi.json', JSON_TYPE), link('/asyncapi.json', JSON_TYPE)],
        'service-doc': [...inWords, link(DISCOVERY_PATHS.llms, 'text/plain')],
        'service-meta': [
          link('/.well-known/oauth-protected-resource', JSON_TYPE),
          link('/.well-known/tasktree-configuration', JSON_TYPE),
          link(DISCOVERY_PATHS.marketCard, JSON_TYPE),
        ],
      },
      {
        anchor: tools,
        'service-desc': [link(DISCOVERY_PATHS.serverCard, SERVER_CARD_TYPE)],
        'service-doc': inWords,
        'service-meta': [link(`/.well-known/oauth-protected-resource${MCP_PATH}`, JSON_TYPE)],
      },
    ],
  };
}
