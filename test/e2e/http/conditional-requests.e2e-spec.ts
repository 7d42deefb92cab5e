import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { account, api, localMarket } from '../../support/market.js';

const read = api(account('Ada'), 'read');

/** The bytes of an answer as they were sent; `fetch` would decode them. */
function bytesOf(path: string, headers: Record<string, string>) {
  return new Promise<{ encoding: string | undefined; vary: string; bytes: Buffer }>((resolve, reject) => {
    get(`${localMarket().base_url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { 'content-encoding': encoding, vary = '' } = response.headers;
        resolve({ encoding, vary, bytes: Buffer.concat(chunks) });
      });
    }).on('error', reject);
  });
}

describe('a single resource', () => {
  it('has an ETag, and is 304 without a body to who names it', async () => {
    const { body: list } = await read('/v1/tasks?limit=1');
    const path = `/v1/tasks/${list.data[0].id}`;
    const first = await read(path);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await read(path, { headers: { 'If-None-Match': `"other", ${tag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    expect(again.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect((await read(path, { headers: { 'If-None-Match': 'W/"another"' } })).status).toBe(200);
  });

  it('is not told to be unchanged to who may not see it', async () => {
    expect((await read('/v1/tasks/task_unknown', { headers: { 'If-None-Match': '*' } })).status).toBe(404);
  });

  it('that holds a link is kept by no cache', async () => {
    const { body: tasks } = await read('/v1/tasks?status=open');
    const preview = await read(`/v1/tasks/${tasks.data[0].id}/preview`);
    expect(preview.headers.get('etag')).toBeNull();
    expect(preview.headers.get('cache-control')).toBe('no-store');
    const { body: action } = await api(account('Ada'), 'buyer')('/v1/task-creation-intents', {
      body: { brief: 'Translate a page', budget: { amount: '5.00', currency: 'USDC' }, selection_mode: 'manual' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    const prepared = await read(`/v1/actions/${action.action_id}`);
    expect([prepared.status, prepared.headers.get('etag'), prepared.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
  });

  it('pages of lists and errors have no ETag', async () => {
    expect((await read('/v1/tasks')).headers.get('etag')).toBeNull();
    expect((await read('/v1/tasks/task_unknown')).headers.get('etag')).toBeNull();
  });
});

describe('the document', () => {
  it('is 304 to who has it', async () => {
    const url = `${localMarket().base_url}/openapi.json`;
    const tag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': tag } });
    expect([again.status, (await again.text()).length]).toEqual([304, 0]);
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
  const key = { 'X-Api-Key': account('Ada').keys.read };

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('above a kilobyte travels as %s to who accepts it', async (encoding, decode) => {
    const plain = await bytesOf('/v1/tasks?limit=20', key);
    const packed = await bytesOf('/v1/tasks?limit=20', { ...key, 'Accept-Encoding': encoding });
    expect([plain.encoding, packed.encoding]).toEqual([undefined, encoding]);
    expect(packed.vary).toContain('Accept-Encoding');
    expect(JSON.parse(decode(packed.bytes).toString()).data).toEqual(JSON.parse(plain.bytes.toString()).data);
  });

  it('below it travels as it is', async () => {
    const { encoding } = await bytesOf('/v1/earnings?cursor=', { ...key, 'Accept-Encoding': 'br, gzip' });
    expect(encoding).toBeUndefined();
  });

  it('pages, which hold form tokens, are never compressed', async () => {
    expect((await bytesOf('/account/sign-in', { 'Accept-Encoding': 'br, gzip' })).encoding).toBeUndefined();
  });
});
