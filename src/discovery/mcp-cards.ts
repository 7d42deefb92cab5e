import { MCP_PATH } from '../platform/http/mcp-path.js';
import { SERVED_REVISIONS, SERVER_NAME } from '../modules/mcp/serving/mcp-server-factory.js';
import type { Environment } from '../platform/config/environment.js';
import { oneLine } from '../platform/pages/one-line.js';
import { CURRENT_VERSION } from '../platform/versioning/api-versions.js';
import { DISCOVERY_PATHS, SERVER_CARD_TYPE } from './discovery-paths.js';
import type { Skill } from './skill-text.js';

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The longest description that both schemas take. */
const LONGEST = 100;

type Named = Pick<Environment, 'baseUrl' | 'displayName'>;

/**
 * What a client knows of the MCP endpoint before it connects (SEP-2127): who it is, where, and in which revisions it
 * speaks. No tools, because those depend on who asks. Name, title and version are those that the endpoint itself tells.
 * @param description the document's own; its first sentence is taken.
 */
export function serverCard(environment: Named, description: string): object {
  const { remotes, ...identity } = identityOf(environment, description);
  return {
    $schema: CARD_SCHEMA,
    ...identity,
    remotes: remotes.map((remote) => ({ ...remote, supportedProtocolVersions: SERVED_REVISIONS })),
  };
}

/** The same for the registry of MCP servers: what an operator hands to `mcp-publisher`. */
export function registryEntry(environment: Named, description: string): object {
  return { $schema: REGISTRY_SCHEMA, ...identityOf(environment, description) };
}

/** What there is for programs that think, in the catalogue by which clients learn where a server card is. */
export function aiCatalog({ baseUrl, displayName }: Named, { name, description }: Skill): object {
  const { hostname } = new URL(baseUrl);
  const shown = oneLine(displayName);
  return {
    specVersion: '1.0',
    host: { displayName: shown, identifier: hostname, documentationUrl: baseUrl + DISCOVERY_PATHS.llms },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:${SERVER_NAME}`,
        displayName: shown,
        type: SERVER_CARD_TYPE,
        url: baseUrl + DISCOVERY_PATHS.serverCard,
      },
      {
        identifier: `urn:air:${hostname}:a2a:${SERVER_NAME}`,
        displayName: shown,
        type: 'application/a2a-agent-card+json',
        url: baseUrl + DISCOVERY_PATHS.marketCard,
      },
      {
        identifier: `urn:air:${hostname}:skill:${name}`,
        displayName: `Work at ${shown}`,
        type: 'text/markdown',
        url: baseUrl + DISCOVERY_PATHS.skill,
        description,
      },
    ],
  };
}

function identityOf({ baseUrl, displayName }: Named, description: string) {
  return {
    name: `${reversed(new URL(baseUrl).hostname)}/${SERVER_NAME}`,
    title: oneLine(displayName),
    description: firstSentence(description),
    version: CURRENT_VERSION,
    websiteUrl: baseUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: baseUrl + MCP_PATH,
        headers: [
          {
            name: 'X-Api-Key',
            description: 'An API key of one scope, for clients that do not sign a person in by OAuth.',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  };
}

/** `market.example` as `example.market`; an address of the internet protocol as it is, without what names may not have. */
function reversed(hostname: string): string {
  const isAddress = /^[\d.]+$|:/.test(hostname);
  const name = isAddress ? hostname : hostname.split('.').reverse().join('.');
  return name.replace(/[^a-zA-Z0-9.-]/g, '-');
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=\.)\s/);
  if (sentence.length > LONGEST) throw new Error(`A server card takes ${LONGEST} characters, not: ${sentence}`);
  return sentence;
}
