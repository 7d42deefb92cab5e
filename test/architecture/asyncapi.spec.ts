import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_TYPES } from '../../src/modules/events/catalogue/event-types.js';
import { eventSchema } from '../../src/openapi/event-schemas.js';
import { generateDocuments } from '../../src/tools/openapi/generated-documents.js';
import { ROOT } from './source-files.js';

/** The document of events, and the schemas of single events, against the examples that both show. */
let text: string;
let document: any;
let openapi: any;

beforeAll(async () => {
  const made = await generateDocuments();
  text = made['asyncapi.json'];
  [document, openapi] = [JSON.parse(text), JSON.parse(made['openapi.json'])];
});

function validator(schema: object, id = ''): (value: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(id === '' ? schema : { ...schema, $id: id });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

const exampleOf = (type: string): any => document.components.messages[type].examples[0].payload;

it('the committed document is the one that the program describes (npm run openapi)', () => {
  expect(readFileSync(join(ROOT, 'asyncapi.json'), 'utf8')).toBe(text);
});

it('every type is a message of both channels, and nothing else is', () => {
  const types = [...EVENT_TYPES].sort();
  expect(Object.keys(document.components.messages).sort()).toEqual(types);
  for (const channel of ['stream', 'webhook']) {
    const messages = document.channels[channel].messages;
    expect(Object.keys(messages).sort()).toEqual(types);
    for (const type of types) expect(messages[type]).toEqual({ $ref: `#/components/messages/${type}` });
  }
});

it('says of every type in a sentence of its own what has happened', () => {
  const said = Object.values<any>(document.components.messages).map(({ summary }) => summary);
  expect(said.filter((sentence) => !/^[A-Z].+\.$/.test(sentence))).toEqual([]);
  expect(new Set(said).size).toBe(EVENT_TYPES.length);
});

it('docs/how-do-i-know.md says the same of the same types', () => {
  const page = readFileSync(join(ROOT, 'docs/how-do-i-know.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+\.\w+)`\s*\| (.+?)\s*\|$/gm)].map(([, type, says]) => [type, says]);
  const messages = Object.entries<any>(document.components.messages);
  expect(rows).toEqual(messages.map(([type, { summary }]) => [type, summary]));
});

it('refers to nothing that is not there', () => {
  for (const [, path = ''] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
    const target = path.split('/').reduce((value, name) => value?.[name], document);
    expect([path, typeof target]).toEqual([path, 'object']);
  }
});

describe.each(EVENT_TYPES)('the schema of %s', (type) => {
  it('takes the example, of this type alone, with all that its data must have', () => {
    const faultsOf = validator(eventSchema(openapi, 'https://tasktree.example', type));
    const example = exampleOf(type);
    expect(faultsOf(example)).toEqual([]);
    expect(faultsOf({ ...example, type: 'none.such' })).not.toEqual([]);
    expect(faultsOf({ ...example, data: [] })).not.toEqual([]);
    for (const member of Object.keys(example)) {
      const { [member]: _, ...rest } = example;
      expect([member, faultsOf(rest).length > 0]).toEqual([member, member !== 'chain']);
    }
    // Members that are not known yet are no fault.
    expect(faultsOf({ ...example, later: 1, data: { ...example.data, later: 1 } })).toEqual([]);
  });

  it('is what the document of events says, too', () => {
    const { payload } = document.components.messages[type];
    const faultsOf = validator({ ...payload, components: document.components });
    expect(faultsOf(exampleOf(type))).toEqual([]);
  });

  it('has an example below 4 KB that the interface shows, too', () => {
    const faultsOf = validator({ $ref: '#/components/schemas/Event', components: openapi.components });
    expect(faultsOf(exampleOf(type))).toEqual([]);
    expect(JSON.stringify(exampleOf(type)).length).toBeLessThan(4096);
  });
});
