import type { OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_SCHEME, OAUTH_SCHEME } from '../modules/credentials/scope.js';
import type { EventType } from '../modules/events/catalogue/event.js';
import { EVENT_TYPES, EVENTS, schemaPath } from '../modules/events/catalogue/event-types.js';
import { exampleEvent, type JsonSchema, payloadOf, schemasOfEvents } from './event-schemas.js';

/** What is read of it here: the rest is JSON. */
export interface AsyncApiDocument extends JsonSchema {
  readonly asyncapi: string;
  readonly components: {
    readonly messages: Readonly<Record<string, JsonSchema>>;
    readonly schemas: JsonSchema;
    readonly securitySchemes: JsonSchema;
  };
}

const DESCRIPTION = [
  'What the service tells by itself: each event once in the log, in one order for everybody, to those who could read its',
  'subject when it happened. The stream and the webhooks carry the same documents; read the rest at `links.resource`.',
  'Ignore types and members that you do not know.',
].join(' ');

/**
 * The AsyncAPI 3 document of the events that the service sends, with the schemas of the OpenAPI document that is given.
 * @param baseUrl without a slash at its end
 */
export function createAsyncApiDocument(document: OpenAPIObject, baseUrl: string): AsyncApiDocument {
  const { host, protocol, pathname } = new URL(baseUrl);
  const { title, version, license } = document.info;
  return {
    asyncapi: '3.0.0',
    info: { title: `${title} events`, version, description: DESCRIPTION, license },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: protocol.replace(':', ''),
        ...(pathname === '/' ? {} : { pathname }),
        security: [API_KEY_SCHEME, OAUTH_SCHEME].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
      },
    },
    channels: {
      stream: {
        address: '/v1/events/stream',
        title: 'Stream',
        description: 'Server-sent events. `id` is the id of the event, `event` its type, `data` the event.',
        servers: [{ $ref: '#/servers/service' }],
        messages: messageReferences(),
      },
      webhook: {
        title: 'Webhook',
        description:
          'A POST to the URL of a webhook endpoint, signed as Standard Webhooks describes it. `webhook-id` is the id of ' +
          'the event and the same on every attempt.',
        messages: messageReferences(),
      },
    },
    operations: {
      streamEvents: sending('stream', 'GET', 'Events as they happen, to whoever holds the stream open.'),
      deliverEvents: sending('webhook', 'POST', 'Events as they happen, to the endpoints that people have made.'),
    },
    components: {
      messages: Object.fromEntries(EVENT_TYPES.map((type) => [type, messageOf(type, baseUrl)])),
      schemas: schemasOfEvents(document),
      securitySchemes: securitySchemes(document),
    },
  };
}

function messageReferences(): JsonSchema {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { $ref: `#/components/messages/${type}` }]));
}

function sending(channel: string, method: string, summary: string): JsonSchema {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    summary,
    bindings: { http: { method, bindingVersion: '0.3.0' } },
  };
}

function messageOf(type: EventType, baseUrl: string): JsonSchema {
  return {
    name: type,
    title: type,
    summary: EVENTS[type].says,
    payload: payloadOf(type),
    externalDocs: { url: `${baseUrl}${schemaPath(type)}`, description: 'The schema of this event for itself.' },
    examples: [{ name: 'event', payload: exampleEvent(type) }],
  };
}

/** As the OpenAPI document has them, in AsyncAPI's words. */
function securitySchemes(document: OpenAPIObject): JsonSchema {
  const { [OAUTH_SCHEME]: oauth } = document.components?.securitySchemes ?? {};
  if (oauth === undefined || !('flows' in oauth) || oauth.flows?.authorizationCode === undefined)
    throw new Error('The OpenAPI document has no authorization code flow');
  const { scopes, ...addresses } = oauth.flows.authorizationCode;
  return {
    [API_KEY_SCHEME]: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key', description: 'A key of the scope read.' },
    [OAUTH_SCHEME]: { type: 'oauth2', flows: { authorizationCode: { ...addresses, availableScopes: scopes } } },
  };
}
