// What the fake market of @tasktree/sdk/testing reads of openapi.json, and nothing else of it: the requests of each
// operation, the example of each answer to a read, and the codes of errors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DOCUMENT = join(import.meta.dirname, '../../../openapi.json');
const TOLD_TO_PEOPLE = new Set(['description', 'summary', 'example', 'examples', 'x-known-values', 'title']);

/** As JSON. */
export function testingDocument() {
  const { paths, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const operations = mapped(paths, (methods) => mapped(methods, operationOf));
  const parameters = mapped(components.parameters, parameterOf);
  const schemas = { Error: { 'x-error-codes': components.schemas.Error['x-error-codes'] } };
  // A schema may lead to others.
  for (let text = ''; text !== JSON.stringify([operations, schemas]);) {
    text = JSON.stringify([operations, schemas]);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      schemas[name] ??= bare(components.schemas[name]);
    }
  }
  return JSON.stringify({ paths: operations, components: { schemas, parameters } });
}

function operationOf({ operationId, 'x-required-scope': scope, parameters, requestBody, responses }, method) {
  const [type, { example } = {}] = Object.entries(responses['200'].content ?? {})[0] ?? [];
  return {
    operationId,
    'x-required-scope': scope,
    parameters: parameters.map(parameterOf),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            required: requestBody.required,
            content: mapped(requestBody.content, ({ schema }) => ({ schema: bare(schema) })),
          },
        }),
    responses: { 200: type === undefined || method !== 'get' ? {} : { content: { [type]: { example } } } },
  };
}

function parameterOf({ $ref, name, in: place, required, schema }) {
  return $ref === undefined ? { name, in: place, required, schema: bare(schema) } : { $ref };
}

function bare(schema) {
  const isTold = (name, value) => TOLD_TO_PEOPLE.has(name) && (typeof value === 'string' || name !== 'title');
  return JSON.parse(
    JSON.stringify(schema, function omitted(name, value) {
      // A member of a body may be called `title`.
      return isTold(name, value) && !('type' in Object(value)) ? undefined : value;
    }),
  );
}

function mapped(object, of) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, of(value, name)]));
}
