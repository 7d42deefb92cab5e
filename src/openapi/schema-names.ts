import type { OpenAPIObject } from '@nestjs/swagger';

const REFERENCE = /"#\/components\/schemas\/(\w+?)Dto"/g;

/** The document with schemas named as the interface names them: `TaskDto` of the program is `Task` to the reader. */
export function nameSchemas(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.entries(document.components?.schemas ?? {})
    .map(([name, schema]) => [name.replace(/Dto$/, ''), schema] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (new Set(schemas.map(([name]) => name)).size < schemas.length) throw new Error('Two schemas have the same name');
  const renamed: OpenAPIObject = {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
  return JSON.parse(JSON.stringify(renamed).replace(REFERENCE, '"#/components/schemas/$1"'));
}
