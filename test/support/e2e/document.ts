import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { localMarket } from '../market.js';

export interface DocumentedRoute {
  method: string;
  /** Path with its `{parameters}`. */
  path: string;
  operationId: string;
  scope: string;
}

/** The OpenAPI document that the running market serves. */
export class MarketDocument {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  private constructor(readonly json: any) {
    // Forbids undocumented members in every object, so that an answer with one of them is a fault.
    const closed = structuredClone(json);
    for (const schema of Object.values(closed.components.schemas)) close(schema);
    this.ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
    this.ajv.addSchema(closed, 'market');
  }

  static async load(): Promise<MarketDocument> {
    const response = await fetch(`${localMarket().base_url}/openapi.json`);
    return MarketDocument.of(await response.json());
  }

  static of(json: any): MarketDocument {
    return new MarketDocument(json);
  }

  get routes(): DocumentedRoute[] {
    const paths: [string, Record<string, any>][] = Object.entries(this.json.paths);
    return paths.flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operationId: operation.operationId,
        scope: operation['x-required-scope'],
      })),
    );
  }

  /** Every difference between a value and the schema of this name; empty when it is as documented. */
  faults(schema: string, value: unknown): string[] {
    let validate = this.compiled.get(schema);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `market#/components/schemas/${schema}` });
      this.compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/**
 * The path with its parameters filled in. A stream is asked to begin where it cannot, because its answer would not end.
 */
export function pathOf({ path }: Pick<DocumentedRoute, 'path'>, parameters: Record<string, string> = {}): string {
  if (path.endsWith('/stream')) return `${path}?after=nonsense`;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? `${name.replace('_id', '')}_missing`);
}

const FORMATS = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  uri: (text: string) => URL.canParse(text),
};

function close(schema: any): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (schema.properties && schema.additionalProperties === undefined) schema.additionalProperties = false;
  for (const value of Object.values(schema)) close(value);
}
