import type { OpenAPIObject } from '@nestjs/swagger';
import type { DescribedOperation } from '../modules/mcp/operations/described-operation.js';
import { isObject, type JsonObject } from '../modules/mcp/operations/json-value.js';
import { exampleOf } from '../openapi/examples.js';
import { EXAMPLE, type SkillStep } from './skill-steps.js';

/** Name of the variable with the base URL. */
export const URL_VARIABLE = 'TASKTREE_URL';

/** Name of the variable with the key of a scope. */
export function keyVariable(scope: string): string {
  return `TASKTREE_${scope.toUpperCase().replaceAll('-', '_')}_KEY`;
}

/**
 * The command of a step, for a shell: nothing but `curl` and what every system has.
 * @throws Error when the operation does not take what the step sends, or needs what it leaves out.
 */
export function commandOf(step: SkillStep, operation: DescribedOperation, document: OpenAPIObject): string {
  const { method, path, scope } = operation;
  checkMembers(step, operation);
  const query = new URLSearchParams(step.query).toString().replaceAll('%24', '$');
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const body = step.body === undefined ? undefined : bodyText(step.body, exampleOfBody(document, path));
  const parts = [
    `curl -sS --fail-with-body${method === 'GET' ? '' : ` -X ${method}`} "$${URL_VARIABLE}${target}${query === '' ? '' : `?${query}`}"`,
    `-H "X-Api-Key: $${keyVariable(scope)}"`,
    ...(step.key === undefined ? [] : [`-H "Idempotency-Key: $JOB-${step.key}"`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d @- <<END`]),
    ...(step.sendsFile === true ? [`-H 'Content-Type: application/octet-stream' --data-binary "@$FILE"`] : []),
  ];
  const lines = [
    // The path of an upload names the digest of what is sent. It is read from the input: of a name with a backslash
    // `sha256sum` marks the digest itself.
    ...(step.sendsFile === true ? [`ARTIFACT_HASH="0x$(sha256sum < "$FILE" | cut -d ' ' -f 1)"`] : []),
    parts.join(' \\\n  '),
    ...(body === undefined ? [] : [body, 'END']),
  ];
  return lines.join('\n');
}

function checkMembers({ operation: id, query = {}, body = {}, key }: SkillStep, operation: DescribedOperation): void {
  const sent = [...Object.keys(query), ...Object.keys(body)];
  const unknown = sent.filter((name) => !(name in operation.properties));
  const needed = operation.required.filter((name) => !operation.pathNames.includes(name));
  const missing = operation.body === 'json' ? needed.filter((name) => !sent.includes(name)) : [];
  if (unknown.length > 0) throw new Error(`${id} does not take ${unknown.join(', ')}, which the skill sends`);
  if (missing.length > 0) throw new Error(`${id} needs ${missing.join(', ')}, which the skill does not send`);
  if ((key === undefined) !== (operation.method === 'GET'))
    throw new Error(`${id}: a write has a key, and no read has`);
}

/** The body as the lines of a here-document, in which a shell replaces names by their values and nothing else. */
function bodyText(body: NonNullable<SkillStep['body']>, examples: JsonObject): string {
  const members = Object.entries(body).map(([name, value]) => {
    if (value === EXAMPLE && examples[name] === undefined) throw new Error(`The document has no example of ${name}`);
    const text = value === EXAMPLE ? literal(JSON.stringify(examples[name])) : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${members.join(',\n')}\n}`;
}

/** Text that a here-document leaves as it is. */
function literal(text: string): string {
  return text.replace(/[\\$`]/g, '\\$&');
}

function exampleOfBody(document: OpenAPIObject, path: string): JsonObject {
  const body = document.paths[path]?.post?.requestBody;
  const schema = body === undefined || '$ref' in body ? undefined : body.content['application/json']?.schema;
  const example: unknown = schema === undefined ? {} : exampleOf(schema, document);
  return isObject(example) ? example : {};
}
