import type { OpenAPIObject } from '@nestjs/swagger';
import { isScope, type Scope } from '../../credentials/scope.js';
import { compactSchema, referenced } from './compact-schema.js';
import { isObject, type JsonObject, objectIn, objectsIn, textIn, textsIn } from './json-value.js';

/** An operation of the interface, as the OpenAPI document describes it. */
export interface DescribedOperation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** `/v1/tasks/{task_id}` */
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  /** Names in the path. */
  readonly pathNames: readonly string[];
  /** `json`: a body of the members that are named neither in the path nor in the query. */
  readonly body: 'none' | 'json' | 'bytes';
  /** Schemas of everything that it takes, by name. */
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation as it stands in the document. */
interface OperationInDocument {
  /** Lower case. */
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** Every operation of the document that needs one scope, by its id. */
export function describedOperations(openApi: OpenAPIObject): ReadonlyMap<string, DescribedOperation> {
  const document: JsonObject = { ...openApi };
  const found = new Map<string, DescribedOperation>();
  for (const { method, path, operation } of operationsIn(document)) {
    const described = describe(operation, { method, path, document });
    if (described !== null) found.set(described.id, described);
  }
  return found;
}

/** Each operation of the document, in its order. */
export function operationsIn(document: JsonObject): OperationInDocument[] {
  return Object.entries(objectIn(document, 'paths')).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      return isObject(operation) ? [{ method, path, operation }] : [];
    }),
  );
}

function describe(
  operation: JsonObject,
  { method, path, document }: { method: string; path: string; document: JsonObject },
): DescribedOperation | null {
  const id = textIn(operation, 'operationId');
  const scope = textIn(operation, 'x-required-scope');
  if (id === undefined || scope === undefined || !isScope(scope)) return null;
  const parameters = objectsIn(operation, 'parameters').map((parameter) => {
    const reference = textIn(parameter, '$ref');
    return reference === undefined ? parameter : referenced(reference, document);
  });
  const named = (place: string): [string, JsonObject][] =>
    parameters
      .filter((parameter) => parameter['in'] === place)
      .map((parameter) => [textIn(parameter, 'name') ?? '', compactSchema(objectIn(parameter, 'schema'), document)]);
  const [inPath, inQuery] = [named('path'), named('query')];
  const requestBody = objectIn(operation, 'requestBody');
  const content = objectIn(requestBody, 'content');
  const json = content['application/json'];
  const body = isObject(json) ? compactSchema(objectIn(json, 'schema'), document) : {};
  return {
    id,
    method: method.toUpperCase(),
    path,
    scope,
    summary: textIn(operation, 'summary') ?? '',
    pathNames: inPath.map(([name]) => name),
    body: isObject(json) ? 'json' : Object.keys(content).length > 0 ? 'bytes' : 'none',
    properties: { ...Object.fromEntries([...inPath, ...inQuery]), ...objectIn(body, 'properties') },
    required: [...inPath.map(([name]) => name), ...textsIn(body, 'required')],
  };
}
