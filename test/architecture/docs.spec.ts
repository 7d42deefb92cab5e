import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../libs/prepared-action/src/typed-data/action-kinds.js';
import { SCOPES } from '../../src/modules/credentials/scope.js';
import { ROOT } from './source-files.js';

interface Property {
  enum?: string[];
  description?: string;
}

interface Operation {
  parameters?: { name: string; schema?: Property }[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const document: {
  components: { schemas: Record<string, { properties?: Record<string, Property> }> };
  paths: Record<string, Record<string, Operation>>;
} = JSON.parse(read('openapi.json'));

/** Rows of the glossary: each term, and the enumerations that it is a value of. */
const glossary = [...read('docs/glossary.md').matchAll(/^\| `?([^|`]+?)`? +\| ([^|]*) \|/gm)]
  .map(([, term = '', of = '']) => ({ term, of: of.trim() === '' ? [] : of.trim().split(', ') }))
  .filter(({ term }) => term !== 'Term' && !/^-+$/.test(term));

/** The glossary's name of every enumeration in openapi.json, by the member or parameter that has it. */
const NAMES: Record<string, string> = {
  'Action.declined_by': 'declined by',
  'Action.kind': 'kind',
  'Action.status': 'action status',
  'Agent.status': 'agent status',
  'AgentReputation.protection': 'protection',
  'AutoSelectionBody.mode': 'selection mode',
  'ChainPlace.finality': 'finality',
  'CreateTaskBody.selection_mode': 'selection mode',
  'CreateTaskBody.tier': 'tier',
  'Delivery.status': 'delivery status',
  'EscrowNode.allowed_actions': 'kind',
  'EscrowNode.backing': 'backing',
  'EscrowNode.outcome': 'node outcome',
  'EscrowNode.state': 'node state',
  'EventSubject.kind': 'event subject',
  'FloorBody.currency': 'currency',
  'FundingBody.funding_mode': 'funding mode',
  'ListedAction.declined_by': 'declined by',
  'ListedAction.kind': 'kind',
  'ListedAction.status': 'action status',
  'ManualSelectionBody.mode': 'selection mode',
  'MyCredential.type': 'credential type',
  'MyLimit.counted_for': 'counted for',
  'MoneyBody.currency': 'currency',
  'NodeDeadlineData.until_then': 'until then',
  'NodeEventData.outcome': 'node outcome',
  'OutcomeCount.outcome': 'node outcome',
  'PreparedAction.kind': 'kind',
  'Quote.status': 'quote status',
  'Receipt.outcome': 'receipt outcome',
  'ResolutionBody.resolution': 'resolution',
  'SubcontractBody.funding_mode': 'funding mode',
  'SubmittedDelivery.status': 'delivery status',
  'Task.selection_mode': 'selection mode',
  'Task.status': 'task status',
  'Task.tier': 'tier',
  'TaskDetail.allowed_actions': 'kind',
  'TaskDetail.selection_mode': 'selection mode',
  'TaskDetail.status': 'task status',
  'TaskDetail.tier': 'tier',
  'TaskResolutionBody.resolution': 'resolution',
  'UpdateAgentBody.status': 'agent status',
  'WebhookAttempt.failure': 'delivery failure',
  'WebhookEndpoint.disabled_reason': 'disabled reason',
  'WebhookEndpoint.status': 'endpoint status',
  'WebhookEndpointEventData.reason': 'disabled reason',
  'WebhookEndpointWithSecret.disabled_reason': 'disabled reason',
  'WebhookEndpointWithSecret.status': 'endpoint status',
  '/v1/actions?status': 'action status',
  '/v1/agents/{agent_id}/nodes?role': 'node role',
  '/v1/agents/{agent_id}/nodes?state': 'node state',
  '/v1/tasks?role': 'task role',
  '/v1/tasks?status': 'task status',
};

const members = Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
  Object.entries(properties).map(([name, property]) => ({ where: `${schema}.${name}`, property })),
);
const parameters = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.values(operations).flatMap((operation) =>
    (operation.parameters ?? []).map(({ name, schema = {} }) => ({ where: `${path}?${name}`, property: schema })),
  ),
);
const enumerations = [...members, ...parameters]
  .filter(({ property }) => property.enum !== undefined || property.description?.includes('Open enumeration'))
  .map(({ where, property }) => ({ where, values: valuesOf(property) }));

/**
 * The values of an enumeration: of a closed one its list, of an open one those named in its description, without
 * remarks.
 */
function valuesOf({ enum: closed, description = '' }: Property): string[] {
  if (closed !== undefined) return closed;
  const said = description.replace(/ \([^)]*\)/g, '');
  const listed = /(?:Values|ended): ([^.;]*)\./.exec(said)?.[1];
  if (listed !== undefined) return listed.split(', ');
  return [...said.matchAll(/(?:^|; )(?:[^:;`]*: )?`?([a-z_]+)`?(?=[:,])/g)].map(([, value = '']) => value);
}

describe('the glossary', () => {
  it('has each term once, in the order of the alphabet', () => {
    const terms = glossary.map(({ term }) => term.toLowerCase());
    expect(terms.length).toBeGreaterThan(100);
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
    expect(terms).toEqual(terms.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('knows every enumeration of the document by its name', () => {
    expect(enumerations.map(({ where }) => where).toSorted()).toEqual(Object.keys(NAMES).toSorted());
  });

  it('has every value of every enumeration, as a value of it, and no other', () => {
    const expected = new Map<string, Set<string>>([
      ['scope', new Set(SCOPES)],
      ['kind', new Set(Object.keys(KINDS))],
    ]);
    for (const { where, values } of enumerations.filter(({ where }) => !where.endsWith('.allowed_actions'))) {
      const name = NAMES[where] ?? where;
      expect([where, values.length > 0]).toEqual([where, true]);
      expected.set(name, new Set([...(expected.get(name) ?? []), ...values]));
    }
    const said = new Map<string, string[]>();
    for (const { term, of } of glossary) for (const name of of) said.set(name, [...(said.get(name) ?? []), term]);
    expect([...said.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    for (const [name, values] of expected)
      expect([name, said.get(name)?.toSorted()]).toEqual([name, [...values].toSorted()]);
  });
});

describe('the pages', () => {
  it('begin with one that is read to its end: the README has at most 150 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
  });

  it('name no command that package.json does not have', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
    const named = pages
      .filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)))
      .flatMap((path) =>
        [...read(path).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)].map(([, name = '']) => `${path}: ${name}`),
      );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((line) => scripts[line.split(': ')[1] ?? ''] === undefined)).toEqual([]);
  });

  it('answer at least thirty questions of where to look', () => {
    const [, rows = ''] = /## Where to look\n([^]*)$/.exec(read('docs/architecture.md')) ?? [];
    expect(
      rows.split('\n').filter((line) => line.startsWith('| ') && line.includes('?')).length,
    ).toBeGreaterThanOrEqual(30);
  });

  it('are all linked from the README', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const readme = read('README.md');
    expect(pages.filter((name) => !readme.includes(`(docs/${name}`))).toEqual([]);
  });
});
