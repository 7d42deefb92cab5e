import { isScope, type Scope } from '../../../modules/credentials/scope.js';

/** An operation that takes a JSON body, as described by the service's OpenAPI document. */
export interface BodyOperation {
  /** Method and path, as the document has them. */
  name: string;
  method: string;
  /** Path with the names of its parameters in braces. */
  path: string;
  scope: Scope;
  /** Names of the members of the body; nested ones as `outer.inner`. */
  members: string[];
}

/** The parts of a JSON schema that are read here. */
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  security?: { OAuth2?: string[] }[];
  requestBody?: { content?: { 'application/json'?: { schema?: Schema } } };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** All operations of an OpenAPI document that take a JSON body and need a credential with a scope. */
export function bodyOperations(document: Document): BodyOperation[] {
  const propertiesOf = (schema: Schema): [string, Schema][] => {
    const name = schema.$ref?.split('/').at(-1);
    const meant = name === undefined ? schema : (document.components.schemas[name] ?? {});
    const parts = [...(meant.allOf ?? []), ...(meant.oneOf ?? [])].flatMap(propertiesOf);
    return [...Object.entries(meant.properties ?? {}), ...parts];
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security = [], requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      const scope = security.flatMap(({ OAuth2 }) => OAuth2 ?? []).find((name) => isScope(name));
      if (schema === undefined || scope === undefined) return [];
      const members = propertiesOf(schema).flatMap(([name, inner]) => [
        name,
        ...propertiesOf(inner).map(([innerName]) => `${name}.${innerName}`),
      ]);
      const upper = method.toUpperCase();
      return [{ name: `${upper} ${path}`, method: upper, path, scope, members: [...new Set(members)] }];
    }),
  );
}
