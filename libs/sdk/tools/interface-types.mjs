// Makes the generated types of the SDK from openapi.json. `npm run sdk:types` writes them,
// libs/sdk/src/interface-types.spec.ts compares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../..');
export const TARGET = join(import.meta.dirname, '../src/generated/interface.ts');
const HEAD = '// Made from openapi.json by `npm run sdk:types`. Do not edit.\n';

/**
 * The text of the file. Known values of an answer become an open union, so that an editor offers them and a value that was
 * added later still fits; the codes of errors likewise, and what an event says is told by its type.
 */
export async function interfaceTypes() {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const codes = Object.keys(document.components.schemas.Error['x-error-codes']);
  document.components.schemas.Error.properties.error.properties.code['x-known-values'] = codes;
  for (const path of Object.values(document.paths)) for (const operation of Object.values(path)) simplify(operation);
  const nodes = await openapiTS(document, {
    alphabetize: false,
    transform: (schema) => (schema['x-known-values'] === undefined ? undefined : openUnion(schema['x-known-values'])),
  });
  return `${HEAD}${astToString(nodes)}\n${eventData()}`;
}

/**
 * Leaves out what the SDK does not read by its type: the headers of answers, and that each status has the one shape of an
 * error. Two thirds of the text are that.
 */
function simplify(operation) {
  for (const [status, response] of Object.entries(operation.responses)) {
    delete response.headers;
    if (!status.startsWith('2')) delete operation.responses[status];
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  operation.responses.default = { description: 'An error', content };
}

/** What the type of an event says about its data, as asyncapi.json has it. */
function eventData() {
  const { components } = JSON.parse(readFileSync(join(ROOT, 'asyncapi.json'), 'utf8'));
  const lines = Object.values(components.messages).map(({ name, payload }) => {
    const [, { properties }] = payload.allOf;
    return `  '${name}': components['schemas']['${properties.data.$ref.split('/').pop()}'];`;
  });
  return `/** The data of each type of event that was known when this file was made. */\nexport interface EventData {\n${lines.join('\n')}\n}\n`;
}

function openUnion(values) {
  const { factory, SyntaxKind } = ts;
  const open = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  const known = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(open)]);
}
