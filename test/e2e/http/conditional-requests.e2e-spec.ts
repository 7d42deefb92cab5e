import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectError } from '../../support/e2e/answers.js';
import { MarketDocument } from '../../support/e2e/document.js';
import { MarketFixture, type Person } from '../../support/e2e/market-fixture.js';
import { eventually } from '../../support/eventually.js';
import { account, api, type ApiAnswer, callApi, localMarket } from '../../support/market.js';

const read = api(account('Ada'), 'read');
const tagOf = ({ headers }: ApiAnswer): string => headers.get('etag') ?? '';
const remaining = ({ headers }: ApiAnswer): number => Number(headers.get('x-limit-remaining'));
const holding = (tag: string) => ({ headers: { 'If-None-Match': tag } });

interface Received {
  status: number;
  encoding: string | undefined;
  vary: string;
  tag: string;
  bytes: Buffer;
}

/** The bytes of an answer as they were sent; `fetch` would decode them. */
function bytesOf(path: string, headers: Record<string, string>) {
  return new Promise<Received>((resolve, reject) => {
    get(`${localMarket().base_url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { 'content-encoding': encoding, vary = '', etag: tag = '' } = response.headers;
        resolve({ status: response.statusCode ?? 0, encoding, vary, tag, bytes: Buffer.concat(chunks) });
      });
    }).on('error', reject);
  });
}

let fixture: MarketFixture;
let owner: Person;
let stranger: Person;

beforeAll(async () => {
  fixture = await MarketFixture.open();
  owner = await fixture.person('Polling owner', { 'Poller-1': ['polling'] });
  stranger = await fixture.person('Polling stranger');
  for (const title of ['One', 'Two', 'Three', 'Four']) await fixture.draft(owner, { title });
});
afterAll(() => fixture.close());

/** Records that can be read by their ids, and lists. */
async function polledPaths(): Promise<{ records: string[]; lists: string[] }> {
  const { body: tasks } = await read('/v1/tasks?limit=1&role=buyer');
  const { body: agents } = await read('/v1/agents?limit=1');
  const [{ id: task }] = tasks.data;
  const [{ id: agent }] = agents.data;
  return {
    records: [`/v1/tasks/${task}`, `/v1/agents/${agent}`, `/v1/agents/${agent}/reputation`, '/v1/earnings'],
    lists: [
      '/v1/tasks',
      '/v1/tasks?limit=2',
      '/v1/tasks?role=buyer&status=resolved',
      `/v1/tasks/${task}/matches`,
      `/v1/tasks/${task}/nodes`,
      '/v1/quotes',
      '/v1/deliveries',
      '/v1/receipts',
      '/v1/agents?limit=2',
      '/v1/agents?query=translation',
      '/v1/reputation',
    ],
  };
}

/**
 * The first answer at a path whose tag was a 304 in each of its forms. Other specs write to the same market: an answer that
 * is another one afterwards is asked anew, one that is the same must be a 304.
 */
async function heldStill(path: string): Promise<{ first: ApiAnswer; tag: string }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const first = await read(path);
    const tag = tagOf(first);
    const changed = await changedMeanwhile(path, first, tag);
    if (!changed) return { first, tag };
  }
  throw new Error(`${path} was another one at each of twenty readings`);
}

async function changedMeanwhile(path: string, first: ApiAnswer, tag: string): Promise<boolean> {
  for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, `W/"other",W/${tag} , "more"`]) {
    const again = await read(path, holding(condition));
    if (again.status === 200 && again.text !== first.text) return true;
    expect([path, condition, again.status, again.text, tagOf(again)]).toEqual([path, condition, 304, '', tag]);
    for (const name of ['cache-control', 'poll-interval', 'service-version', 'vary']) {
      const values = [first, again].map(({ headers }) => headers.get(name)?.split(', ').sort());
      expect([path, name, values[1]]).toEqual([path, name, values[0]]);
    }
  }
  return false;
}

describe('a record and the first page of a list', () => {
  it('have a strong ETag, and are 304 without a body to who names it', async () => {
    const { records, lists } = await polledPaths();
    for (const path of [...records, ...lists]) {
      const { first, tag } = await heldStill(path);
      expect([path, tag]).toEqual([path, expect.stringMatching(/^"[A-Za-z0-9_-]{22}(\.gzip|\.br)?"$/)]);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      expect(first.headers.get('vary')).toMatch(/Authorization, X-Api-Key/);
      expect((await read(path, holding('*'))).status).toBe(304);
      for (const condition of ['W/"another"', `${tag.slice(0, -1)}x"`, tag.slice(1, -1)]) {
        expect([path, condition, (await read(path, holding(condition))).status]).toEqual([path, condition, 200]);
      }
    }
  });

  it('say when to ask again, as the document does', async () => {
    const { records, lists } = await polledPaths();
    for (const path of records) expect((await read(path)).headers.get('poll-interval')).toBe('5');
    for (const path of lists) expect((await read(path)).headers.get('poll-interval')).toBe('15');
    const document = await MarketDocument.load();
    const { 'Poll-Interval': header } = document.json.components.headers;
    expect(header.description).toMatch(/\b5 for one record, 15 for a list\b/);
  });

  it('change their tag when they change, and for nobody else', async () => {
    const path = `/v1/agents/${owner.participant.agents[0]!.id}`;
    const before = tagOf(await api(owner, 'read')(path));
    expect((await api(owner, 'read')(path, holding(before))).status).toBe(304);
    const body = { available: false };
    const headers = { 'Idempotency-Key': randomUUID() };
    const changed = await api(owner, 'agent-owner')(`${path}/availability`, { method: 'PUT', body, headers });
    expect(changed.status).toBe(200);
    const after = await api(owner, 'read')(path, holding(before));
    expect([after.status, after.body.available]).toEqual([200, false]);
    expect(tagOf(after)).not.toBe(before);
  });

  it("are another's answer to another caller, whose tag does not name them", async () => {
    const path = `/v1/agents/${owner.participant.agents[0]!.id}`;
    const [own, foreign] = [await api(owner, 'read')(path), await api(stranger, 'read')(path)];
    expect(own.body.wallet_address).toBeDefined();
    const asked = await api(stranger, 'read')(path, holding(tagOf(own)));
    expect([asked.status, asked.body.wallet_address]).toEqual([200, undefined]);
    expect((await api(stranger, 'read')(path, holding(tagOf(foreign)))).status).toBe(304);
  });

  it('cost a request of the limit also as 304, and need a credential that is live', async () => {
    const person = await fixture.person('Polling counted');
    const first = await api(person, 'read')('/v1/tasks?role=buyer&limit=3');
    const again = await api(person, 'read')('/v1/tasks?role=buyer&limit=3', holding(tagOf(first)));
    expect([again.status, remaining(again)]).toEqual([304, remaining(first) - 1]);
    const condition = { 'If-None-Match': tagOf(first) };
    const url = '/v1/tasks?role=buyer&limit=3';
    expectError(
      await api(person, 'read')(url, { key: `${person.keys.read}x`, headers: condition }),
      401,
      'invalid_api_key',
    );
    expectError(await api(person, 'buyer')(url, { headers: condition }), 403, 'insufficient_scope');
    const created = { scope: 'read', name: 'to be revoked' } as const;
    const { key: revoked, secret } = await fixture.services.keys.create(person.participant.account.id, created);
    const withKey = (extra: Record<string, string>) =>
      callApi(`${localMarket().base_url}${url}`, { key: secret, headers: extra });
    expect((await withKey(condition)).status).toBe(304);
    await fixture.services.keys.revoke(revoked.id);
    await eventually(async () => (await withKey(condition)).status === 401);
    expectError(await withKey(condition), 401, 'api_key_revoked');
    expectError(await withKey({ 'If-None-Match': '*' }), 401, 'api_key_revoked');
  });

  it('are not told to be unchanged to who may not see them', async () => {
    const draft = await fixture.draft(owner);
    const path = `/v1/tasks/${draft.id}`;
    const tag = tagOf(await api(owner, 'read')(path));
    for (const condition of [tag, `W/${tag}`, '*']) {
      const hidden = await api(stranger, 'read')(path, holding(condition));
      expectError(hidden, 404, 'not_found');
      expect([tagOf(hidden), hidden.headers.get('poll-interval')]).toEqual(['', null]);
    }
    expectError(await read('/v1/tasks/task_unknown', holding('*')), 404, 'not_found');
    expectError(await read('/v1/tasks?limit=0', holding('*')), 400, 'invalid_parameter');
  });

  it('are the same page after the first one was read through, from the same cursor', async () => {
    const own = api(owner, 'read');
    const path = '/v1/tasks?role=buyer&limit=2';
    const first = await own(path);
    const second = await own(`${path}&cursor=${first.body.next_page}`);
    expect([second.status, tagOf(second), second.headers.get('poll-interval')]).toEqual([200, '', null]);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expect((await own(`${path}&cursor=${first.body.next_page}`, holding('*'))).status).toBe(200);
    expect((await own(path, holding(tagOf(first)))).status).toBe(304);
  });
});

describe('an answer that holds a link', () => {
  it('is kept by no cache; one whose link is the same each time has a tag all the same', async () => {
    const { body: action } = await api(account('Ada'), 'buyer')('/v1/task-creation-intents', {
      body: { brief: 'Translate a page', budget: { amount: '5.00', currency: 'USDC' }, selection_mode: 'manual' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    const path = `/v1/actions/${action.action_id}`;
    const prepared = await read(path);
    expect([prepared.status, prepared.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const again = await read(path, holding(tagOf(prepared)));
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-store']);
    expectError(await api(stranger, 'read')(path, holding(tagOf(prepared))), 404, 'not_found');
  });

  it('that is another each time has none', async () => {
    const { body: tasks } = await read('/v1/tasks?status=open');
    const preview = await read(`/v1/tasks/${tasks.data[0].id}/preview`);
    expect([preview.headers.get('etag'), preview.headers.get('poll-interval')]).toEqual([null, null]);
    expect(preview.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the document', () => {
  it('is 304 to who has it', async () => {
    const url = `${localMarket().base_url}/openapi.json`;
    const tag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': tag } });
    expect([again.status, (await again.text()).length]).toEqual([304, 0]);
    expect((await fetch(url, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('travels as %s to who accepts it', async (encoding, decode) => {
    const plain = await bytesOf('/openapi.json', {});
    const packed = await bytesOf('/openapi.json', { 'Accept-Encoding': encoding });
    expect([plain.encoding, packed.encoding]).toEqual([undefined, encoding]);
    expect(decode(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });
});

describe('JSON', () => {
  const path = '/v1/tasks?role=buyer&limit=20';
  let key: Record<string, string>;

  beforeAll(() => {
    key = { 'X-Api-Key': owner.keys.read };
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('above a kilobyte travels as %s to who accepts it', async (encoding, decode) => {
    const plain = await bytesOf(path, key);
    const packed = await bytesOf(path, { ...key, 'Accept-Encoding': encoding });
    expect([plain.encoding, packed.encoding]).toEqual([undefined, encoding]);
    expect(packed.vary).toContain('Accept-Encoding');
    expect(JSON.parse(decode(packed.bytes).toString()).data).toEqual(JSON.parse(plain.bytes.toString()).data);
  });

  it('has a tag for each way in which it travels, and either is taken', async () => {
    const tags: string[] = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      tags.push((await bytesOf(path, { ...key, 'Accept-Encoding': encoding })).tag);
    }
    const [plain = ''] = tags;
    expect(tags).toEqual([plain, ...['gzip', 'br'].map((coding) => `${plain.slice(0, -1)}.${coding}"`)]);
    for (const tag of tags) {
      const again = await bytesOf(path, { ...key, 'Accept-Encoding': 'br', 'If-None-Match': tag });
      expect([again.status, again.tag, again.bytes.length, again.encoding]).toEqual([304, tag, 0, undefined]);
      expect(again.vary).toContain('Accept-Encoding');
    }
  });

  it('below it travels as it is', async () => {
    const { encoding } = await bytesOf('/v1/earnings?cursor=', { ...key, 'Accept-Encoding': 'br, gzip' });
    expect(encoding).toBeUndefined();
  });

  it('pages, which hold form tokens, are never compressed', async () => {
    expect((await bytesOf('/account/sign-in', { 'Accept-Encoding': 'br, gzip' })).encoding).toBeUndefined();
  });
});
