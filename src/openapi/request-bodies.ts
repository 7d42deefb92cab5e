import type { OpenAPIObject } from '@nestjs/swagger';
import { BODY_KEYWORDS } from '../platform/http/input/body-keywords.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

const REFERENCE = '#/components/schemas/';

/** Says of every request body what the service holds: members that are not declared are refused, at every depth. */
export function closeRequestBodies(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const seen = new Set<string>();
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.post, path.put, path.patch, path.delete]) {
      if (operation?.requestBody === undefined || '$ref' in operation.requestBody) continue;
      close(operation.requestBody.content['application/json']?.schema, { schemas, seen });
    }
  }
}

function close(schema: Schema | undefined, context: { schemas: Schemas; seen: Set<string> }): void {
  if (schema === undefined) return;
  if ('$ref' in schema) {
    const name = schema.$ref.slice(REFERENCE.length);
    if (context.seen.has(name)) return;
    context.seen.add(name);
    close(context.schemas[name], context);
    return;
  }
  for (const part of [...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) close(part, context);
  if (schema.type !== 'object') return;
  const keywords: unknown = Reflect.get(schema, BODY_KEYWORDS);
  Reflect.deleteProperty(schema, BODY_KEYWORDS);
  Object.assign(schema, keywords, { additionalProperties: false });
  for (const member of Object.values(schema.properties ?? {})) close(member, context);
}
