/** Where each document is by which strangers find out what this service is, below the base URL. */
export const DISCOVERY_PATHS = {
  start: '/',
  llms: '/llms.txt',
  reference: '/docs.md',
  skill: '/skill.md',
  skillIndex: '/.well-known/agent-skills/index.json',
  apiCatalog: '/.well-known/api-catalog',
  aiCatalog: '/.well-known/ai-catalog.json',
  /** The place that the extension of the protocol reserves, and the one where scanners looked before there was any. */
  serverCard: '/mcp/server-card',
  serverCardOfSite: '/.well-known/mcp/server-card.json',
  marketCard: '/.well-known/agent-card.json',
  registryEntry: '/server.json',
  security: '/.well-known/security.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
} as const;

/** RFC 9727, section 4.2: says of a set of links that it is a catalogue of interfaces. */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/**
 * The `Link` header of the public documents: from any of them a program finds all others. Relations are those of RFC 9727
 * (the catalogue), RFC 8631 (the description and its pages) and RFC 5988 (what describes the whole in words).
 */
export function discoveryLinks(baseUrl: string): string {
  return [
    `<${baseUrl}${DISCOVERY_PATHS.apiCatalog}>; rel="api-catalog"; type="application/linkset+json"`,
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/docs>; rel="service-doc"; type="text/html"`,
    `<${baseUrl}${DISCOVERY_PATHS.reference}>; rel="service-doc"; type="text/markdown"`,
    `<${baseUrl}${DISCOVERY_PATHS.llms}>; rel="describedby"; type="text/plain"`,
  ].join(', ');
}
