import { readFileSync } from 'node:fs';
import { KINDS } from '#libs/prepared-action';
import { Environment } from '../../../platform/config/environment.js';
import { SCOPES } from '../../credentials/scope.js';
import { describedOperations } from '../operations/described-operation.js';
import { ENVELOPE_SCHEMA } from '../results/signing-envelope.js';
import { UNTRUSTED_MEMBERS } from '../results/untrusted-text.js';
import { CombinedTools } from './combined-tools.js';
import { OperationTools } from './operation-tools.js';
import { ToolCatalogue } from './tool-catalogue.js';
import { OPERATION_TOOLS, RECORDS } from './tool-table.js';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** The catalogue of a deployment; nothing of it is called. */
function catalogue(settings: Partial<Environment> = {}): ToolCatalogue {
  const environment = Object.assign(new Environment(), settings);
  const none: any = undefined;
  const made = new ToolCatalogue(
    environment,
    new OperationTools(none, none, none, none),
    new CombinedTools(none, none, none),
  );
  made.load(describedOperations(document));
  return made;
}

const all = catalogue().listedFor(SCOPES);
const SETS = SCOPES.flatMap((one, at) => [[one], ...SCOPES.slice(at + 1).map((other) => [one, other])]);
/** Four characters a token: what tokenizers of today need for English with JSON around it, within a tenth. */
const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

it.each(SETS.map((scopes) => [scopes.join(' and '), scopes]))(
  'a caller with %s sees at most twenty tools, in at most 3,500 tokens',
  (_name, scopes) => {
    const definitions = catalogue()
      .listedFor(scopes as string[])
      .map(({ definition }) => definition);
    expect(definitions.length).toBeLessThanOrEqual(20);
    expect(tokens(definitions)).toBeLessThanOrEqual(3_500);
  },
);

it('every tool has a title, a description and every annotation, and a name of its own', () => {
  for (const { definition } of all) {
    expect(definition).toEqual({
      name: expect.stringMatching(/^[a-z_]{3,64}$/),
      title: expect.stringMatching(/^[A-Z]/),
      description: expect.stringMatching(/\S.{10,}/),
      inputSchema: expect.objectContaining({ type: 'object' }),
      annotations: {
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: true,
      },
      ...(definition.outputSchema === undefined ? {} : { outputSchema: ENVELOPE_SCHEMA }),
    });
  }
  expect(new Set(all.map(({ definition }) => definition.name)).size).toBe(all.length);
});

it('says of a member what it is, and not only one of its values, its unit or what follows without it', () => {
  const described = all.flatMap(({ definition: { name, inputSchema } }) =>
    Object.entries(inputSchema.properties ?? {}).flatMap(([member, { description }]: [string, any]) =>
      description === undefined ? [] : [[name, member, description]],
    ),
  );
  expect(described.length).toBeGreaterThan(20);
  expect(described.filter(([, , description]) => !description.includes(' '))).toEqual([]);
});

it('says what each operation is in the words of the operation, and states outputs of prepare tools alone', () => {
  for (const { name, operation, prepares } of OPERATION_TOOLS) {
    const { definition } = all.find((tool) => tool.definition.name === name)!;
    expect(JSON.stringify(document.paths)).toContain(JSON.stringify(definition.description));
    expect([operation, definition.outputSchema !== undefined]).toEqual([operation, prepares !== undefined]);
  }
});

it('prepares every kind of action that there is', () => {
  const prepared = new Set(OPERATION_TOOLS.flatMap(({ prepares }) => prepares ?? []));
  expect([...prepared].sort()).toEqual(Object.keys(KINDS).sort());
});

it('MCP_TOOLS=read leaves the tools that read', () => {
  const tools = catalogue({ mcpTools: 'read' }).listedFor(SCOPES);
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.filter(({ definition }) => definition.annotations?.readOnlyHint !== true)).toEqual([]);
  expect(catalogue({ mcpTools: 'read' }).named('prepare_fund_task')).toBeUndefined();
});

/** Texts without a stated form that the service itself writes: words of closed lists, sentences and ids. */
const OWN = new Set(
  (
    'next summary custody_receipt nonce next_page recipient self resource match_code ' +
    'allowed_actions state effective_state from to kind type outcome'
  ).split(' '),
);
const ID = /(?:^|_)(?:id|ids|hash)$|^replaces$|^child_node_id$|^scopes$|^changed$|^event_ids$/;

it('every text of an answer that other people may have written is marked as theirs', () => {
  const free = new Map<string, string>();
  for (const operation of readOperations())
    collect(operation.responses['200'].content['application/json'].schema, free);
  const unknown = [...free].filter(([name]) => !UNTRUSTED_MEMBERS.has(name)).map(([name]) => name);
  expect(unknown.sort()).toEqual([]);
});

function readOperations(): any[] {
  const ids = new Set([...OPERATION_TOOLS.map(({ operation }) => operation), ...Object.values(RECORDS)]);
  for (const id of ['getTask', 'listTaskNodes', 'getAgent', 'getAgentReputation', 'getAction']) ids.add(id);
  for (const id of ['getDeliveryArtifact', 'getTaskPreview', 'uploadArtifact']) ids.add(id);
  return Object.values(document.paths)
    .flatMap((path: any) => Object.values(path))
    .filter((operation: any) => ids.has(operation.operationId));
}

/** The names of texts that have neither a form nor a list of values, with where they are. */
function collect(schema: any, found: Map<string, string>, name = '', seen: readonly string[] = []): void {
  if (schema.$ref !== undefined) {
    if (seen.includes(schema.$ref)) return;
    collect(document.components.schemas[schema.$ref.split('/').at(-1)], found, name, [...seen, schema.$ref]);
    return;
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    collect(part, found, name, seen);
  }
  for (const [member, inner] of Object.entries(schema.properties ?? {})) collect(inner, found, member, seen);
  if (schema.items !== undefined) collect(schema.items, found, name, seen);
  const isText = schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
  const isClosed =
    schema.pattern ?? schema.enum ?? schema.format ?? /\bValues?: |Open enumeration/i.exec(schema.description ?? '');
  if (isText && (isClosed ?? null) === null && !OWN.has(name) && !ID.test(name)) found.set(name, name);
}
