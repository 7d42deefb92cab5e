import type { OpenAPIObject } from '@nestjs/swagger';
import { KINDS } from '#libs/prepared-action';
import { EVENT_TYPES } from '../modules/events/catalogue/event-types.js';

/** A schema as far as this file reads and extends it. */
interface ValueSchema {
  description?: string;
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  'x-known-values'?: readonly string[];
}

/** The list in the description of an open enumeration; remarks on single values stand in parentheses. */
const LISTED = /(?:Values|ended): ([^.;]*)[.;]/;

/**
 * Says beside each open enumeration of an answer which values there are today, in `x-known-values`, because an `enum`
 * would make generated clients refuse the values of tomorrow. Throws where a description lists none.
 */
export function withKnownValues(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, ValueSchema>;
  for (const [name, schema] of Object.entries(schemas)) nameValues(name, schema);
  return document;
}

function nameValues(where: string, { properties = {} }: ValueSchema): void {
  for (const [member, property] of Object.entries(properties)) {
    const path = `${where}.${member}`;
    const holder = property.items ?? property;
    const values = valuesOf(path, member, property);
    if (values !== null) holder['x-known-values'] = values;
    nameValues(path, holder);
  }
}

function valuesOf(where: string, member: string, { description = '' }: ValueSchema): readonly string[] | null {
  if (where === 'Event.type') return EVENT_TYPES;
  // The table of the codes has them, each with its status.
  if (where === 'Error.error.code') return null;
  if (!description.includes('Open enumeration')) return null;
  if (member === 'allowed_actions') return Object.keys(KINDS);
  const listed = LISTED.exec(description.replace(/ \([^)]*\)/g, ''))?.[1];
  if (listed === undefined) throw new Error(`The description of ${where} names no values`);
  return listed.split(', ');
}
