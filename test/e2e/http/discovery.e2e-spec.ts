import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { JsonRpcProvider, Wallet } from 'ethers';
import type { LocalAccount } from '../../../src/dev/market-folder/local-file.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { expectError } from '../../support/e2e/answers.js';
import { send } from '../../support/e2e/http-request.js';
import { newerClient, olderClient } from '../../support/e2e/mcp-callers.js';
import { eventually } from '../../support/eventually.js';
import { account, api, localMarket } from '../../support/market.js';

const market = localMarket();
const base = market.base_url;

const url = { type: 'string', pattern: `^${base}/` };
const REMOTES = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: {
      type: { const: 'streamable-http' },
      url,
      headers: { type: 'array', items: { type: 'object', required: ['name'] } },
      supportedProtocolVersions: { type: 'array', items: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$` } },
    },
    required: ['type', 'url'],
    additionalProperties: false,
  },
};
const SERVER = {
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', maxLength: 200 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255 },
    websiteUrl: { type: 'string' },
    remotes: REMOTES,
  },
  required: ['$schema', 'name', 'description', 'version'],
  additionalProperties: false,
};
const LINK = { type: 'object', properties: { href: { type: 'string', pattern: `^${base}` } }, required: ['href'] };
const entry = {
  type: 'object',
  properties: { identifier: { type: 'string', pattern: '^urn:air:' }, type: { type: 'string' }, url },
  required: ['identifier', 'type', 'url'],
};
const skill = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 },
    type: { const: 'skill-md' },
    description: { type: 'string', minLength: 1, maxLength: 1024 },
    url,
    digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  },
  required: ['name', 'type', 'description', 'url', 'digest'],
};

/** What each standard wants of the JSON at these paths, typed here a second time, with the media type that it names. */
const DOCUMENTS: readonly [path: string, mediaType: string, schema: object][] = [
  ['/mcp/server-card', 'application/mcp-server-card+json', SERVER],
  ['/.well-known/mcp/server-card.json', 'application/mcp-server-card+json', SERVER],
  ['/server.json', 'application/json', SERVER],
  [
    '/.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    {
      type: 'object',
      properties: {
        linkset: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: { anchor: { type: 'string' } },
            required: ['anchor'],
            additionalProperties: { type: 'array', minItems: 1, items: LINK },
          },
        },
      },
      required: ['linkset'],
      additionalProperties: false,
    },
  ],
  [
    '/.well-known/ai-catalog.json',
    'application/ai-catalog+json',
    {
      type: 'object',
      properties: { specVersion: { const: '1.0' }, entries: { type: 'array', items: entry } },
      required: ['specVersion', 'entries'],
    },
  ],
  [
    '/.well-known/agent-card.json',
    'application/json',
    {
      type: 'object',
      properties: {
        supportedInterfaces: {
          type: 'array',
          minItems: 1,
          items: { properties: { url, protocolBinding: url }, required: ['url', 'protocolBinding', 'protocolVersion'] },
        },
        skills: { type: 'array', minItems: 1, items: { required: ['id', 'name', 'description', 'tags'] } },
      },
      required: [
        'name',
        'description',
        'version',
        'supportedInterfaces',
        'capabilities',
        'defaultInputModes',
        'defaultOutputModes',
        'skills',
      ],
    },
  ],
  [
    '/.well-known/agent-skills/index.json',
    'application/json',
    {
      type: 'object',
      properties: {
        $schema: { const: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json' },
        skills: { type: 'array', minItems: 1, items: skill },
      },
      required: ['$schema', 'skills'],
    },
  ],
];
const TEXTS: readonly [path: string, mediaType: string][] = [
  ['/', 'application/json'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/skill.md', 'text/markdown; charset=utf-8'],
  ['/docs.md', 'text/markdown; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml'],
];

describe('what programs find', () => {
  it.each(DOCUMENTS)('%s is %s, as its standard wants it', async (path, mediaType, schema) => {
    const { status, headers, body } = await send(path);
    expect([status, headers.get('content-type')]).toEqual([200, mediaType]);
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
    expect([validate(body), validate.errors]).toEqual([true, null]);
  });

  it.each(TEXTS)('%s is %s, with the headers of every answer', async (path, mediaType) => {
    const { status, headers } = await send(path, { headers: { Accept: '*/*' } });
    expect([status, headers.get('content-type')]).toEqual([200, mediaType]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('leads from each document to places that there are', async () => {
    const paths = [...DOCUMENTS.map(([path]) => path), ...TEXTS.map(([path]) => path)];
    const found = new Set<string>();
    for (const path of paths) {
      const { text, headers } = await send(path);
      for (const [link] of `${text} ${headers.get('link')}`.matchAll(new RegExp(`${base}[^\\s"'\`<>()#]*`, 'g'))) {
        found.add(link.slice(base.length).replace(/[.,;]$/, ''));
      }
    }
    expect(found.size).toBeGreaterThan(12);
    const answered = async (path: string) => (await fetch(base + path)).status;
    expect(found.delete('/v1')).toBe(true);
    // The endpoints themselves take POST, or want a credential or parameters.
    const endpoints = { '/mcp': 405, '/v1/events/stream': 401, '/oauth/authorize': 400, '/oauth/token': 405 };
    for (const [path, status] of Object.entries(endpoints)) {
      expect([path, found.delete(path), await answered(path)]).toEqual([path, true, status]);
    }
    for (const path of found) expect([path, await answered(path)]).toEqual([path, 200]);
  });

  it('the index of skills names the digest of what is served', async () => {
    const { body } = await send('/.well-known/agent-skills/index.json');
    const { text } = await send('/skill.md');
    expect(body.skills[0].digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    expect(text.slice(0, 4)).toBe('---\n');
    expect(text).toContain(`name: ${body.skills[0].name}\n`);
  });

  it.each([
    ['/llms.txt', /^- \[([A-Z]+ \/v1[^\]]*)\]/gm],
    ['/docs.md', /^### ([A-Z]+ \/v1.*)$/gm],
  ])('%s names every operation of the document once', async (place, line) => {
    const { text } = await send(place);
    const { body } = await send('/openapi.json');
    const named = [...text.matchAll(line)].map(([, operation = '']) => operation);
    const described = Object.entries(body.paths).flatMap(([path, item]: [string, any]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.toSorted()).toEqual(described.toSorted());
  });

  it('the server card says what the endpoint says itself, and the revisions in which it is spoken to', async () => {
    const { body } = await send('/mcp/server-card');
    const key = account('Ada').keys.read;
    const connections = [await newerClient(`${base}/mcp`, { key }), await olderClient(`${base}/mcp`, { key })];
    for (const { client, revision } of connections) {
      expect(body.remotes[0].supportedProtocolVersions).toContain(revision);
      const { name, title, version } = (client as any).getServerVersion();
      expect([body.name.split('/')[1], body.title, body.version]).toEqual([name, title, version]);
      await client.close();
    }
  });
});

describe('whatever a request says', () => {
  const paths = [...DOCUMENTS.map(([path]) => path), ...TEXTS.map(([path]) => path)];

  it('no document repeats a host from it, and HEAD has no body', async () => {
    for (const path of paths) {
      const { text } = await send(path, { headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' } });
      expect([path, text.includes('evil.example')]).toEqual([path, false]);
      const head = await send(path, { method: 'HEAD' });
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
    }
  });

  it('other methods are 405, and other paths 404', async () => {
    expectError(await send('/skill.md', { method: 'POST' }), 405, 'method_not_allowed');
    for (const path of [
      '/skill.MD',
      '/llms.txt/',
      '/.well-known/mcp',
      '/.well-known/agent-skills/',
      '/mcp/server-cards',
    ]) {
      expectError(await send(path), 404, 'unknown_route');
    }
  });

  it('there is no security.txt where the operator has named nobody', async () => {
    expectError(await send('/.well-known/security.txt'), 404, 'unknown_route');
  });
});

/** One request of the skill: its command, and what to keep of the answer. */
interface Step {
  command: string;
  keeps: [name: string, place: string][];
}

/** Somebody who knows the skill alone, and does what it says. */
class Reader {
  private readonly steps = new Map<string, Step>();
  readonly kept: Record<string, string> = {};

  constructor(
    skillText: string,
    readonly who: LocalAccount,
    own: Record<string, string>,
  ) {
    for (const part of skillText.split(/^#{2,3} /m)) {
      const [, title = '', command = '', rest = ''] = /^(.+)\n[^]*?^```sh\n([^]*?)^```\n([^]*)/m.exec(part) ?? [];
      const keeps = [...rest.matchAll(/`([A-Z_]+)` = `([^`]+)`/g)].map(
        ([, name = '', place = '']): [string, string] => [name, place],
      );
      if (title !== '') this.steps.set(title, { command, keeps });
    }
    const keys = Object.entries(who.keys).map(([scope, key]) => [
      `TASKTREE_${scope.toUpperCase().replace('-', '_')}_KEY`,
      key,
    ]);
    Object.assign(this.kept, Object.fromEntries(keys), own);
  }

  /**
   * Runs the command of a step as it stands, and keeps what the step says.
   * @param chosen what to take where the reader is to choose; else the first entry.
   */
  does(title: string, chosen: Record<string, string> = {}): any {
    const step = this.steps.get(title);
    if (step === undefined) throw new Error(`The skill has no step "${title}"`);
    const script = `${this.steps.get('Access')?.command}\n${step.command}`;
    // Names that no step has given are an error.
    const text = execFileSync('sh', ['-eu', '-c', script], {
      env: { PATH: process.env.PATH ?? '', ...this.kept },
    }).toString();
    const answer = JSON.parse(text);
    for (const [name, place] of step.keeps) {
      const values = valuesAt(answer, place.split('.'));
      const value = chosen[name] ?? values[0];
      if (!values.includes(value)) throw new Error(`${title}: ${name} is not among ${JSON.stringify(values)}`);
      this.kept[name] = String(value);
    }
    return answer;
  }

  /** Follows the action as the skill says, until it is so. */
  async follows(status: string): Promise<void> {
    await eventually(() => this.does('Follow an action').status === status);
  }
}

function valuesAt(value: any, [name = '', ...rest]: string[]): unknown[] {
  if (name === '') return [value];
  if (!name.endsWith('[]')) return valuesAt(value?.[name], rest);
  return value[name.slice(0, -2)].flatMap((one: unknown) => valuesAt(one, rest));
}

describe('the skill, followed literally', () => {
  const provider = new JsonRpcProvider(market.rpc_url, market.chain_id, { staticNetwork: true });
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tasktree-skill-'));
  });
  afterAll(() => {
    provider.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the person does on the page of the link. */
  async function personSigns(who: LocalAccount, scope: Scope, { action_id: id, payload }: any): Promise<void> {
    const wallet = new Wallet(who.wallet_private_key, provider);
    const { EIP712Domain: _, ...types } = payload.types;
    const signature = await wallet.signTypedData(payload.domain, types, payload.message);
    const headers = { 'Idempotency-Key': `signed-${id}` };
    const { status, body } = await api(who, scope)(`/v1/actions/${id}/submissions`, { body: { signature }, headers });
    expect([id, status]).toEqual([id, 200]);
    if (body.transaction) await wallet.sendTransaction({ to: body.transaction.to, data: body.transaction.data });
  }

  it('leads a buyer and a worker from the task to the money', async () => {
    const { text } = await send('/skill.md');
    const file = join(folder, 'work.txt');
    writeFileSync(file, 'Forty pages, in French.');
    const JOB = `pages-${randomUUID()}`;
    const buyer = new Reader(text, account('Cleo'), { JOB, TIER: 'private_curated' });
    const worker = new Reader(text, account('Pavel'), { JOB, FILE: file });
    for (const reader of [buyer, worker])
      expect(reader.does('Check your access').account.id).toBe(reader.who.account_id);
    const agent = worker.who.agents[0]!.id;
    const before = worker.does('See what it has earned').paid;

    const created = buyer.does('Create the task');
    expect(created).toMatchObject({ kind: 'create_task', match_code: expect.any(String) });
    // The same again, as after a connection that was lost.
    expect(buyer.does('Create the task').action_id).toBe(created.action_id);
    await personSigns(buyer.who, 'buyer', created);
    await buyer.follows('signed');
    buyer.does('See who fits', { AGENT_ID: agent });
    expect(buyer.does('Invite').agent_ids).toEqual([agent]);

    worker.does('Find a task', { TASK_ID: buyer.kept['TASK_ID']! });
    worker.does('Read the terms');
    await personSigns(worker.who, 'worker', worker.does('Make an offer'));
    await worker.follows('signed');

    buyer.does('Compare the offers', { AGENT_ID: agent });
    await personSigns(buyer.who, 'buyer', buyer.does('Select the offer'));
    await buyer.follows('signed');
    await personSigns(buyer.who, 'buyer', buyer.does('Pay into escrow'));
    await buyer.follows('confirmed');

    expect(worker.does('Wait for the money').data[0].state).toBe('funded');
    worker.does('Bring the work into custody');
    await personSigns(worker.who, 'worker', worker.does('Deliver').prepared_action);
    await worker.follows('confirmed');

    expect((await fetch(buyer.does('Look at the work').url)).status).toBe(200);
    await personSigns(buyer.who, 'buyer', buyer.does('Accept the work'));
    await buyer.follows('confirmed');
    expect((await api(buyer.who, 'read')(`/v1/tasks/${buyer.kept['TASK_ID']}`)).body.status).toBe('resolved');
    expect(Number(worker.does('See what it has earned').paid) - Number(before)).toBe(250);
  });
});
