import type { OpenAPIObject } from '@nestjs/swagger';
import type { ChainPlace, EventType } from '../modules/events/catalogue/event.js';
import { EVENT_TYPES, EVENTS, schemaPath } from '../modules/events/catalogue/event-types.js';
import { eventDocument } from '../modules/events/log/record-events.sql.js';

/** A JSON Schema, of which nothing is read here but its references. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const COMPONENTS = '#/components/schemas/';
const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** Name of the schema of a type's data. */
const dataName = (type: EventType): string => EVENTS[type].data.name;

/** The event of one type: what all events have, with its own data. */
export function payloadOf(type: EventType): JsonSchema {
  const data = { $ref: `${COMPONENTS}${dataName(type)}` };
  return { allOf: [{ $ref: `${COMPONENTS}Event` }, { type: 'object', properties: { type: { const: type }, data } }] };
}

/** The schemas of events and of everything that they refer to, by name, out of the OpenAPI document. */
export function schemasOfEvents(document: OpenAPIObject, types: readonly EventType[] = EVENT_TYPES): JsonSchema {
  const schemas: Record<string, unknown> = {};
  const wanted = ['Event', ...types.map(dataName)];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name in schemas) continue;
    const schema = document.components?.schemas?.[name];
    if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}`);
    schemas[name] = name === 'Event' ? withAnyData(schema) : schema;
    for (const [, inner] of JSON.stringify(schemas[name]).matchAll(REFERENCE)) if (inner) wanted.push(inner);
  }
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Each type says which data it has, so what all have in common says it for none. */
function withAnyData(schema: object): object {
  const event = structuredClone(schema) as { properties: Record<string, object> };
  event.properties['data'] = { type: 'object' };
  return event;
}

/** The schema of one type of event, for itself: nothing else has to be fetched to check an event with it. */
export function eventSchema(document: OpenAPIObject, baseUrl: string, type: EventType): JsonSchema {
  const schema = { ...payloadOf(type), $defs: schemasOfEvents(document, [type]) };
  return {
    $schema: DIALECT,
    $id: `${baseUrl}${schemaPath(type)}`,
    title: type,
    description: EVENTS[type].says,
    ...(JSON.parse(JSON.stringify(schema).replace(REFERENCE, '"#/$defs/$1"')) as object),
  };
}

const EXAMPLE_ID = 'evt_01k9q2m4t8v6w0y2z4a6c8e0g2';
const EXAMPLE_PLACE: ChainPlace = {
  chainId: 8453,
  transactionHash: `0x${'5e'.repeat(32)}`,
  blockNumber: 31_442_117,
  blockHash: '',
  logIndex: 7,
};

/** An event of this type as it is read. */
export function exampleEvent(type: EventType): JsonSchema {
  const { example: data, subject, isOfTheChain } = EVENTS[type];
  const chain = isOfTheChain ? { chain: EXAMPLE_PLACE } : {};
  const document = eventDocument({ type, subject, data, ...chain }, EXAMPLE_ID, '2026-11-20T12:55:00.000Z');
  return { ...(JSON.parse(document) as JsonSchema), sequence: 1_795_784_100_123_456 };
}
