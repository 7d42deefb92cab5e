import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaOrReference = Schemas[string];

const PLAIN: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 0.5, boolean: true, object: {} };

/** Patterns of addresses and digests. */
const HEX_PATTERN = /^\^0x\[a-fA-F0-9\]\{(\d+)\}\$$/;

/** An example put together from the examples of a schema's members. */
export function exampleOf(schema: SchemaOrReference, document: OpenAPIObject): unknown {
  if ('$ref' in schema) {
    const target = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
    return target === undefined ? {} : exampleOf(target, document);
  }
  if (schema.example !== undefined) return schema.example;
  const [first] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(first, document);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [exampleOf(schema.items, document)];
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, exampleOf(member, document)]),
    );
  }
  const [, digits] = HEX_PATTERN.exec(schema.pattern ?? '') ?? [];
  if (digits !== undefined) return `0x${'5f'.repeat(Number(digits) / 2)}`;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.format === 'date-time') return '2026-11-20T12:00:00.000Z';
  if (schema.format === 'uri') return 'https://tasktree.example/';
  return PLAIN[type ?? 'object'];
}
