// The build puts what is read here of the document in its place (libs/sdk/tools/build-packages.mjs).
import document from '../../../../../openapi.json' with { type: 'json' };
import type { ErrorCode } from '../../http/market-error.js';

/** As much of JSON Schema as the document uses of requests. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly 'x-required-scope': string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { required?: boolean; content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { example?: unknown }>> }>>;
}

interface InterfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** An operation as the document has it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly scope: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly isRequired: boolean; readonly schema: Schema } | null;
  /** The example of its answer; undefined: it has none. */
  readonly example: unknown;
}

interface Route {
  readonly pattern: RegExp;
  readonly operations: readonly Operation[];
}

const { paths, components } = document as unknown as InterfaceDocument;
/** Read with the first request, because a test that sends none should not wait for them. */
let routes: readonly Route[] | undefined;

/** Status and meaning of each code. */
export const ERROR_CODES = (
  components.schemas['Error'] as unknown as {
    'x-error-codes': Readonly<Record<ErrorCode, { readonly status: number; readonly meaning: string }>>;
  }
)['x-error-codes'];

/** The methods of the path that this one is of, and what stands in the places of its names; null: there is no such path. */
export function routeOf(path: string): { operations: readonly Operation[]; params: Record<string, string> } | null {
  routes ??= readRoutes();
  for (const { pattern, operations } of routes) {
    const found = pattern.exec(path);
    if (found !== null) return { operations, params: { ...found.groups } };
  }
  return null;
}

/** The schema that a reference leads to, and that of an `allOf` of one. */
export function resolved(schema: Schema): Schema {
  const { $ref, allOf } = schema;
  if ($ref !== undefined) return resolved(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  return allOf?.length === 1 && allOf[0] !== undefined ? resolved(allOf[0]) : schema;
}

/** A path of fixed words comes before one with a name in that place, as in the service. */
function readRoutes(): readonly Route[] {
  return Object.entries(paths)
    .sort(([a], [b]) => names(a) - names(b))
    .map(([template, methods]) => ({
      pattern: new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      operations: Object.entries(methods).map(operationOf),
    }));
}

function operationOf([method, operation]: [string, DocumentedOperation]): Operation {
  const { requestBody, responses } = operation;
  const [body] = Object.entries(requestBody?.content ?? {});
  const [answer] = Object.values(responses['200']?.content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    scope: operation['x-required-scope'],
    parameters: operation.parameters.map((one) =>
      one.$ref === undefined ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one),
    ),
    body:
      body === undefined
        ? null
        : { mediaType: body[0], isRequired: requestBody?.required === true, schema: body[1].schema },
    example: answer?.example,
  };
}

function names(template: string): number {
  return template.split('{').length;
}
