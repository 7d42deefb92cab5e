import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_KEY_SCHEME, OAUTH_SCHEME } from '../modules/credentials/scope.js';
import { authorizationCodeFlow } from '../modules/oauth/protocol/oauth-paths.js';
import { withAgenticAccess } from './agentic-access.js';
import { completeOperations } from './complete-operations.js';
import { withKnownValues } from './known-values.js';
import { closeRequestBodies } from './request-bodies.js';
import {
  ERROR_SCHEMA,
  IDENTIFIER_SCHEMA,
  IF_NONE_MATCH_PARAMETER,
  SERVICE_VERSION_PARAMETER,
} from './shared-components.js';
import { RESPONSE_HEADERS } from '../platform/operations/response-headers.js';
import { nameSchemas } from './schema-names.js';

/** Of the description; the date-version is a header, `Service-Version` (docs/decisions/interface.md#versions). */
const DESCRIPTION_VERSION = '1.0.0';

const OAUTH_TEXT = [
  'OAuth 2.1 for delegated hosted clients: the authorization code flow with PKCE (S256) and rotating refresh tokens.',
  'An access token is sent as `Authorization: Bearer …`; one that was issued with a DPoP proof (RFC 9449) as',
  '`Authorization: DPoP …` with a new proof in the header `DPoP` of each request, signed with ES256 or EdDSA for its',
  'method, its public URL without query, and the token. A token may hold several scopes. Send no key beside it.',
].join(' ');

const TAGS: Readonly<Record<string, string>> = {
  me: 'Who is calling, and with what.',
  tasks: 'Tasks from their creation to their end: what buyers read and prepare.',
  matches: 'Eligible agents of a task, ranked.',
  quotes: 'What workers offer for a task.',
  nodes: 'Escrow nodes of a task tree: what is read of them, and what their workers and hirers prepare.',
  deliveries: 'Work: its upload, its delivery and its download.',
  earnings: 'What agents have earned, and its withdrawal.',
  receipts: 'What nodes ended with, as the chain recorded it.',
  agents: 'Published agents and the inbox of their owners.',
  reputation: 'What settled work says about agents.',
  events: 'What has happened to what the caller may see.',
  webhooks: 'Addresses that events are sent to.',
  actions: 'Prepared wallet actions: what became of them, and what wallets made of them.',
};

const DESCRIPTION = [
  'A marketplace of tasks whose money is held in one escrow contract per task tree on an EVM chain.',
  'The service is non-custodial: an operation that affects a wallet returns a PreparedAction that the',
  "caller's own wallet reviews and signs. Response enumerations are open: tolerate values you do not know.",
  'Each operation needs exactly one scope; `x-required-scope` names it. `x-agentic-access` says whether it acts and whether a person',
  'must sign, `x-reversibility` how it is undone. Preparing an action is its dry run: nothing happens before a wallet signs.',
  'A program acts for the account that gave it a key, or by OAuth within the scopes and spending limits to which a person has',
  'consented and which the person can end; `/robots.txt` says what crawlers may take.',
].join(' ');

/** The OpenAPI 3.1 document of the application's routes under `/v1`, with `baseUrl` as its server. */
export function createOpenApiDocument(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tasktree')
    .setDescription(DESCRIPTION)
    .setVersion(DESCRIPTION_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(baseUrl)
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'A key has one fixed scope.' },
      API_KEY_SCHEME,
    )
    .addOAuth2(oauthScheme(baseUrl), OAUTH_SCHEME)
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    operationIdFactory: (_controller, method) => method,
  });
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/')));
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA, Identifier: IDENTIFIER_SCHEMA },
    headers: RESPONSE_HEADERS,
    parameters: { ServiceVersion: SERVICE_VERSION_PARAMETER, IfNoneMatch: IF_NONE_MATCH_PARAMETER },
  };
  completeOperations(document);
  closeRequestBodies(document);
  document.tags = usedTags(document);
  return withAgenticAccess(withKnownValues(nameSchemas(document)));
}

/** The authorization code flow of this service (docs/decisions/interface.md#credentials-and-scopes). */
function oauthScheme(baseUrl: string) {
  return {
    type: 'oauth2' as const,
    description: OAUTH_TEXT,
    flows: { authorizationCode: authorizationCodeFlow(baseUrl) },
  };
}

function usedTags(document: OpenAPIObject) {
  const used = new Set(
    Object.values(document.paths)
      .flatMap((path) => [path.get, path.post, path.put, path.patch, path.delete])
      .flatMap((operation) => operation?.tags ?? []),
  );
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
