import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import express from 'express';
import { describedOperations } from '../modules/mcp/operations/described-operation.js';
import { ToolCatalogue } from '../modules/mcp/tools/tool-catalogue.js';
import { Environment } from '../platform/config/environment.js';
import { Clock } from '../platform/time/clock.js';
import { robotsText } from './crawler-files.js';
import { llmsText } from './llms-text.js';
import { registryEntry, serverCard } from './mcp-cards.js';
import { mountDiscovery } from './mount-discovery.js';
import { referenceText } from './reference-text.js';
import { securityText } from './security-text.js';
import { commandOf } from './skill-command.js';
import { WORKING } from './skill-steps.js';
import { skillOf } from './skill-text.js';

const document: OpenAPIObject = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'));
const description = document.info.description!;
const operations = describedOperations(document);
const BASE = 'https://market.example';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
});

/** Listens with nothing but the documents. @returns the address. */
async function listening(own: Partial<Environment> = {}, nowMs = Date.now()): Promise<string> {
  const environment = Object.assign(new Environment(), { baseUrl: BASE, ...own });
  const app = express();
  const clock = Object.assign(new Clock(), { wallMs: () => nowMs });
  const parts = new Map<unknown, unknown>([
    [Environment, environment],
    [Clock, clock],
    [ToolCatalogue, { listedFor: () => [] }],
  ]);
  const nest: any = { getHttpAdapter: () => ({ getInstance: () => app }), get: (type: unknown) => parts.get(type) };
  mountDiscovery(nest, document, operations);
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const skillFor = (own: Partial<Environment>) =>
  skillOf({
    environment: Object.assign(new Environment(), { baseUrl: BASE, ...own }),
    document,
    operations,
    toolsOf: () => [],
  });

describe('security.txt', () => {
  const CONTACT = 'mailto:security@market.example';

  it('is there where the operator has named a contact, and nowhere else', async () => {
    const path = '/.well-known/security.txt';
    const named = await fetch((await listening({ securityContact: CONTACT })) + path);
    expect([named.status, named.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect((await named.text()).split('\n')[0]).toBe(`Contact: ${CONTACT}`);
    expect((await fetch((await listening()) + path)).status).toBe(404);
  });

  it('says until when it holds, less than a year ahead, and says the same all day', () => {
    const at = (time: string) => securityText({ contact: CONTACT, baseUrl: BASE }, Date.parse(time));
    expect(at('2026-11-27T00:00:00Z')).toBe(
      `Contact: ${CONTACT}\nExpires: 2027-05-26T00:00:00.000Z\nCanonical: ${BASE}/.well-known/security.txt\n`,
    );
    expect(at('2026-11-27T23:59:59Z')).toBe(at('2026-11-27T00:00:00Z'));
    expect(at('2026-11-28T00:00:00Z')).not.toBe(at('2026-11-27T00:00:00Z'));
  });

  it('names itself only by https, the one scheme that the standard takes', () => {
    expect(securityText({ contact: CONTACT, baseUrl: 'http://127.0.0.1:3000' }, 0)).not.toContain('Canonical');
  });
});

describe('every document', () => {
  const PATHS = [
    '/llms.txt',
    '/docs.md',
    '/skill.md',
    '/robots.txt',
    '/sitemap.xml',
    '/server.json',
    '/mcp/server-card',
    '/.well-known/agent-card.json',
  ];

  it.each([
    ...PATHS,
    '/.well-known/api-catalog',
    '/.well-known/ai-catalog.json',
    '/.well-known/agent-skills/index.json',
  ])('%s is open to scripts of any origin, may be kept, leads to the others, and is not sent twice', async (path) => {
    const url = (await listening()) + path;
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('link')).toContain(`<${BASE}/.well-known/api-catalog>; rel="api-catalog"`);
    const tag = answer.headers.get('etag')!;
    expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
  });

  it('has its URLs from the settings alone, whatever a request says about hosts', async () => {
    const url = await listening();
    for (const path of PATHS) {
      const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
      const text = await (await fetch(url + path, { headers })).text();
      expect([path, text.includes('evil.example'), text.includes('127.0.0.1')]).toEqual([path, false, false]);
    }
  });
});

describe('the start page', () => {
  it('is Markdown for who asks for it, and is left to the pages for everybody else', async () => {
    const url = await listening();
    const twin = await fetch(url, { headers: { Accept: 'text/markdown' } });
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await twin.text()).toBe(await (await fetch(`${url}/llms.txt`)).text());
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', 'application/json']) {
      const other = await fetch(url, { headers: { Accept: accept } });
      expect([accept, other.status, other.headers.get('vary')]).toEqual([
        accept,
        404,
        expect.stringContaining('Accept'),
      ]);
      expect(other.headers.get('link')).toContain('rel="api-catalog"');
    }
  });
});

describe('a name that an operator chose', () => {
  const displayName = 'A](https://evil.example) <img src=x>\n# B\u202e';

  it('is text in every document, on one line', async () => {
    const { text } = skillFor({ displayName });
    for (const written of [
      llmsText(Object.assign(new Environment(), { baseUrl: BASE, displayName }), document),
      text,
    ]) {
      expect(written).toContain('A\\](https://evil.example) \\<img src=x\\>');
      expect(written).not.toMatch(/^# B/m);
      expect(written).not.toContain('\u202e');
    }
    expect(text.split('\n').findIndex((line) => line === '---')).toBe(0);
    expect(text.match(/^---$/gm)).toHaveLength(2);
  });
});

describe('the skill', () => {
  it('has a version that changes with its text, and a name that is its market', () => {
    const versionIn = (text: string) => /version: "(\d{4}-\d\d-\d\d\.[0-9a-f]{8})"/.exec(text)?.[1];
    const [one, other] = [skillFor({}), skillFor({ baseUrl: 'https://other.example' })];
    expect(versionIn(one.text)).toBeDefined();
    expect(versionIn(one.text)).toBe(versionIn(skillFor({}).text));
    expect(versionIn(other.text)).not.toBe(versionIn(one.text));
    expect([one.name, other.name]).toEqual(['tasktree-market-example', 'tasktree-other-example']);
    expect(skillFor({ baseUrl: 'http://[::1]:3000' }).name).toBe('tasktree-1-3000');
    expect(skillFor({ baseUrl: `https://${'a-'.repeat(40)}b.example` }).name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('is short enough to be read before each piece of work', () => {
    expect(skillFor({}).text.length).toBeLessThan(16_000);
  });

  it('gives a shell the base URL as one word, whatever is in it', () => {
    expect(skillFor({ baseUrl: "https://market.example/it's/$HOME" }).text).toContain(
      `export TASKTREE_URL='https://market.example/it'\\''s/$HOME'`,
    );
  });

  it.each([
    [{ body: { taks_id: '$TASK_ID' }, key: 'offer' }, 'prepareQuote does not take taks_id'],
    [{ body: { task_id: '$TASK_ID' }, key: 'offer' }, 'prepareQuote needs price, terms_hash'],
    [{ body: { task_id: '$TASK_ID', price: '1', terms_hash: '$TERMS_HASH' } }, 'a write has a key'],
  ])('does not start with a request that the document does not have: %j', (own, reason) => {
    const step = { title: 'Offer', operation: 'prepareQuote', ...own };
    expect(() => commandOf(step, operations.get('prepareQuote')!, document)).toThrow(reason);
  });
});

it.each(['report.pdf', 'a\\b.txt', '-n', 'two\nlines'])(
  'the skill names the digest of a file that is called %j',
  (name) => {
    const upload = WORKING.find(({ sendsFile }) => sendsFile === true)!;
    const [line] = commandOf(upload, operations.get(upload.operation)!, document).split('\n');
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-skill-'));
    try {
      writeFileSync(join(folder, name), 'Work.');
      const script = `${line}\nprintf %s "$ARTIFACT_HASH"`;
      const said = execFileSync('sh', ['-c', script], { cwd: folder, env: { ...process.env, FILE: name } });
      expect(said.toString()).toBe(`0x${createHash('sha256').update('Work.').digest('hex')}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

describe('the reference in Markdown', () => {
  const text = referenceText({ baseUrl: BASE, displayName: 'Tasktree' }, document);
  const ofOperation = (id: string) => text.split('### ').find((part) => part.includes(`\`${id}\``))!;

  it('says what an operation takes and gives, of a body with several forms each of them', () => {
    expect(text).not.toMatch(/undefined|\[object/);
    expect(ofOperation('prepareTaskSelection')).toContain('POST /v1/tasks/{task_id}/selection-intents\n');
    expect(ofOperation('prepareTaskSelection')).toContain('- `mode` (manual, required)');
    expect(ofOperation('prepareTaskSelection')).toContain('- `mode` (auto, required)');
    expect(ofOperation('prepareQuote')).toContain('- `price` ({amount, currency}, required)');
    expect(ofOperation('listTasks')).toContain('- `limit` (integer, minimum 1, maximum 100)');
    expect(ofOperation('listTasks')).toContain('Answer: `data`, `next_page`.');
  });

  it('is a fraction of the document', () => {
    expect(text.length).toBeLessThan(JSON.stringify(document).length / 10);
  });
});

describe('the cards of the MCP endpoint', () => {
  it.each([
    ['https://market.example', 'example.market/tasktree'],
    ['https://api.market.example:8443/prefix', 'example.market.api/tasktree'],
    ['http://127.0.0.1:3000', '127.0.0.1/tasktree'],
    ['http://[::1]:3000', '---1-/tasktree'],
    ['http://localhost:3000', 'localhost/tasktree'],
  ])('%s is %s', (baseUrl, name) => {
    for (const card of [serverCard, registryEntry]) {
      expect(card({ baseUrl, displayName: 'Tasktree' }, description)).toMatchObject({
        name,
        websiteUrl: baseUrl,
        remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }],
      });
    }
  });

  it('take a hundred characters, and none that has more is made', () => {
    expect(() => serverCard({ baseUrl: BASE, displayName: 'Tasktree' }, 'x'.repeat(101))).toThrow('100 characters');
  });
});

it('robots.txt keeps a prefix of the base URL', () => {
  expect(robotsText('https://market.example/prefix')).toBe(
    [
      'User-agent: *',
      'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
      'Allow: /prefix/',
      'Disallow: /prefix/account',
      'Disallow: /prefix/oauth/',
      'Disallow: /prefix/sign/',
      'Disallow: /prefix/previews/',
      '',
      'Sitemap: https://market.example/prefix/sitemap.xml',
      '',
    ].join('\n'),
  );
});
