import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDocuments } from '../../src/tools/openapi/generated-documents.js';
import { ROOT } from './source-files.js';

const LISTED_SCOPES = ['agent-owner', 'buyer', 'read', 'worker'];
let text: string;
let document: any;
let operations: any[];

beforeAll(async () => {
  text = (await generateDocuments())['openapi.json'];
  document = JSON.parse(text);
  operations = Object.values(document.paths).flatMap((path: any) => Object.values(path));
});

it('the committed document is the one that the program describes (npm run openapi)', () => {
  expect(readFileSync(join(ROOT, 'openapi.json'), 'utf8')).toBe(text);
});

it('both ways to authenticate are declared as the specification has them', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.components.securitySchemes.ApiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-Api-Key' });
  const { authorizationCode } = document.components.securitySchemes.OAuth2.flows;
  expect(authorizationCode.authorizationUrl).toMatch(/\/oauth\/authorize$/);
  expect(authorizationCode.tokenUrl).toMatch(/\/oauth\/token$/);
  expect(Object.keys(authorizationCode.scopes).sort()).toEqual(LISTED_SCOPES);
});

it('each operation takes either credential, with one scope', () => {
  for (const { operationId, security, 'x-required-scope': scope } of operations) {
    // A submission needs the one scope that its action was prepared with; the document lists the candidates.
    const scopes = scope === 'scope-of-action' ? ['read', 'buyer', 'worker'] : [scope];
    const schemes = [{ ApiKey: [] }, ...scopes.map((one) => ({ OAuth2: [one] }))];
    expect([operationId, security]).toEqual([operationId, expect.arrayContaining(schemes)]);
    expect(security).toHaveLength(schemes.length);
  }
});

it('each response has its headers, its schema and an example', () => {
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries<any>(responses)) {
      const where = `${operationId} ${status}`;
      // What a stream is made of is in the next test.
      if (response.content?.['text/event-stream']) continue;
      const content = response.content?.['application/json'];
      expect([where, Object.keys(response.headers)]).toEqual([where, expect.arrayContaining(['Service-Version'])]);
      expect([where, content.schema]).toEqual([where, expect.objectContaining({ $ref: expect.any(String) })]);
      expect([where, content.example ?? content.examples]).toEqual([where, expect.anything()]);
    }
  }
});

it('a stream is text, with an example of its frames', () => {
  const streams = operations.flatMap(({ operationId, responses }) => {
    const content = responses['200'].content['text/event-stream'];
    return content ? [{ operationId, content }] : [];
  });
  expect(streams).toEqual([
    {
      operationId: 'streamEvents',
      content: { schema: { type: 'string' }, example: expect.stringMatching(/^id: .+\nevent: .+\ndata: .+\n\n/m) },
    },
  ]);
});

it('each operation may answer 200 and the refusals that all share', () => {
  for (const { operationId, responses } of operations) {
    expect([operationId, Object.keys(responses)]).toEqual([
      operationId,
      expect.arrayContaining(['200', '400', '401', '403', '429', '500', '503']),
    ]);
  }
});

it('429 says when to come back and what is left', () => {
  for (const { responses } of operations) {
    expect(Object.keys(responses['429'].headers)).toEqual(
      expect.arrayContaining(['Retry-After', 'X-Limit-Remaining', 'Service-Version']),
    );
  }
});

it('every reference leads somewhere', () => {
  for (const [, path = ''] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
    const target = path.split('/').reduce((node: any, name) => node?.[name], document);
    expect([path, target]).toEqual([path, expect.anything()]);
  }
});

it('no name of a class of the program shows, and nothing of OpenAPI 3.0', () => {
  expect(text).not.toMatch(/Dto\b/);
  expect(text).not.toContain('"nullable"');
});

it('each operation has one subject, and says what it does beyond its title', () => {
  for (const { operationId, tags, description } of operations) {
    expect([operationId, tags.length, typeof description]).toEqual([operationId, 1, 'string']);
  }
  expect(tagsOf('prepareQuote', 'submitDelivery', 'prepareNodeRejection', 'getAction')).toEqual([
    'quotes',
    'deliveries',
    'nodes',
    'actions',
  ]);
});

it('bodies refuse members that they do not declare, at every depth', () => {
  const bodies = operations.flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema ?? []);
  const closed = bodies
    .flatMap((schema: any) => schema.oneOf ?? [schema])
    .map(({ $ref }: any) => $ref.split('/').pop());
  expect(new Set(closed).size).toBeGreaterThanOrEqual(17);
  for (const name of [...closed, 'MoneyBody', 'FloorBody']) {
    expect([name, document.components.schemas[name].additionalProperties]).toEqual([name, false]);
  }
});

it('bodies say what their members cannot say one by one', () => {
  expect(document.components.schemas.UpdateAgentBody.minProperties).toBe(1);
  const forms = (id: string) => operationOf(id).requestBody.content['application/json'].schema.oneOf.length;
  expect([forms('prepareTaskSelection'), forms('submitActionSignature')]).toEqual([2, 2]);
});

it('the member that tells the forms of a body apart is named, because clients are generated that guess otherwise', () => {
  const { discriminator, oneOf } = operationOf('prepareTaskSelection').requestBody.content['application/json'].schema;
  expect(discriminator.propertyName).toBe('mode');
  const forms = Object.entries<string>(discriminator.mapping);
  expect(forms.map(([, $ref]) => ({ $ref }))).toEqual(oneOf);
  for (const [mode, $ref] of forms) {
    expect(document.components.schemas[$ref.split('/').pop()!].properties.mode.enum).toEqual([mode]);
  }
});

function operationOf(id: string): any {
  return operations.find(({ operationId }) => operationId === id);
}

function tagsOf(...ids: string[]): string[] {
  return ids.map((id) => operationOf(id).tags[0]);
}
