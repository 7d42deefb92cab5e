import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleOf } from './examples.js';
import { responseHeaders } from '../platform/operations/response-headers.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Extract<NonNullable<Operation['responses'][string]>, { description: string }>;

/** Adds to every operation what all of them share: version parameter, identifier patterns, headers, examples. */
export function completeOperations(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete]) {
      if (operation) completeOperation(document, operation);
    }
  }
}

function completeOperation(document: OpenAPIObject, operation: Operation): void {
  const kind: unknown = Reflect.get(operation, 'x-operation-kind');
  Reflect.deleteProperty(operation, 'x-operation-kind');
  operation.parameters = [
    ...(operation.parameters ?? []).map((parameter) =>
      'name' in parameter && parameter.in === 'path' && parameter.name.endsWith('_id')
        ? { ...parameter, schema: { $ref: '#/components/schemas/Identifier' } }
        : parameter,
    ),
    { $ref: '#/components/parameters/ServiceVersion' },
    ...(kind === 'read' || kind === 'list' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    response.headers = {
      ...response.headers,
      ...Object.fromEntries(
        responseHeaders(Number(status), String(kind)).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
    };
    if (status === '200') addExample(document, response);
  }
}

function addExample(document: OpenAPIObject, response: Response): void {
  const content = response.content?.['application/json'];
  if (content?.schema && content.example === undefined) content.example = exampleOf(content.schema, document);
}
