import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsIn } from '../modules/mcp/operations/described-operation.js';
import { resolvedSchema } from '../modules/mcp/operations/compact-schema.js';
import {
  isObject,
  type JsonObject,
  objectIn,
  objectsIn,
  textIn,
  textsIn,
} from '../modules/mcp/operations/json-value.js';
import type { Environment } from '../platform/config/environment.js';
import { markdownText } from './markdown-text.js';

/**
 * `/docs.md`: the API reference as Markdown, for readers without a browser. A fourteenth of the document that it is
 * made from, which remains the one to generate from: no schemas of answers, no examples, no errors.
 */
export function referenceText(
  { baseUrl, displayName }: Pick<Environment, 'baseUrl' | 'displayName'>,
  openApi: OpenAPIObject,
): string {
  const document: JsonObject = { ...openApi };
  const sections = objectsIn(document, 'tags').map((tag) => {
    const subject = textIn(tag, 'name') ?? '';
    return [`## ${subject}`, textIn(tag, 'description') ?? '', ...operationsOf(subject, document)].join('\n\n');
  });
  return `# ${markdownText(displayName)} API reference

${textIn(objectIn(document, 'info'), 'description') ?? ''}

Base URL: ${baseUrl}. Errors, examples and every member of every answer: ${baseUrl}/openapi.json

${sections.join('\n\n')}
`;
}

function operationsOf(subject: string, document: JsonObject): string[] {
  return operationsIn(document)
    .filter(({ operation }) => textsIn(operation, 'tags')[0] === subject)
    .map(({ operation, method, path }) => operationText(operation, { method, path, document }));
}

function operationText(
  operation: JsonObject,
  { method, path, document }: { method: string; path: string; document: JsonObject },
): string {
  const own = objectsIn(operation, 'parameters').filter((parameter) => textIn(parameter, '$ref') === undefined);
  const parameters = own.map((parameter) =>
    memberLine(textIn(parameter, 'name') ?? '', parameter['required'] === true, {
      ...resolvedSchema(objectIn(parameter, 'schema'), document),
      description: textIn(parameter, 'description'),
    }),
  );
  const body = objectIn(objectIn(objectIn(operation, 'requestBody'), 'content'), 'application/json');
  const answer = objectIn(objectIn(objectIn(objectIn(operation, 'responses'), '200'), 'content'), 'application/json');
  const members = Object.keys(objectIn(resolvedSchema(objectIn(answer, 'schema'), document), 'properties'));
  const lines = [
    `### ${method.toUpperCase()} ${path}`,
    `\`${textIn(operation, 'operationId') ?? ''}\`, scope \`${textIn(operation, 'x-required-scope') ?? ''}\`. ${textIn(operation, 'summary') ?? ''}.`,
    textIn(operation, 'description') ?? '',
    list('Parameters', parameters),
    list('Body', memberLines(objectIn(body, 'schema'), document)),
    members.length === 0 ? '' : `Answer: ${members.map((name) => `\`${name}\``).join(', ')}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n\n${lines.join('\n')}`;
}

/** One line a member of an object; of a body that has several forms, those of each. */
function memberLines(schema: JsonObject, document: JsonObject): string[] {
  const whole = resolvedSchema(schema, document);
  const forms = objectsIn(whole, 'oneOf');
  if (forms.length > 0) return forms.flatMap((form) => memberLines(form, document));
  const required = textsIn(whole, 'required');
  return Object.entries(objectIn(whole, 'properties')).flatMap(([name, member]) =>
    isObject(member) ? [memberLine(name, required.includes(name), resolvedSchema(member, document))] : [],
  );
}

function memberLine(name: string, isRequired: boolean, schema: JsonObject): string {
  const description = textIn(schema, 'description');
  return `- \`${name}\` (${typeText(schema)}${isRequired ? ', required' : ''})${description === undefined ? '' : `: ${description}`}`;
}

function typeText(schema: JsonObject): string {
  const values = textsIn(schema, 'enum');
  if (values.length > 0) return values.join(' | ');
  const members = Object.keys(objectIn(schema, 'properties'));
  if (members.length > 0) return `{${members.join(', ')}}`;
  const type = textIn(schema, 'type') ?? 'any';
  const range = ['minimum', 'maximum'].flatMap((name) =>
    typeof schema[name] === 'number' ? [`${name} ${schema[name]}`] : [],
  );
  return [textIn(schema, 'format') ?? type, ...range].join(', ');
}
