import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runLoad } from './load.js';
import type { LoadRequests } from './load-order.js';

const CONNECTIONS = 4;
const SECONDS = 1;

interface Answer {
  status?: number;
  body: object;
}

let server: Server;

afterEach(() => {
  server.close();
});

/** Serves `answer` as fast as this machine can, and does nothing else. */
async function serve(answer: (request: IncomingMessage, body: string) => Answer): Promise<number> {
  server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { status = 200, body } = answer(request, sent);
      const bytes = Buffer.from(JSON.stringify(body));
      response.writeHead(status, { 'Content-Length': bytes.length }).end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function load(port: number, requests: LoadRequests) {
  return runLoad({ port, connections: CONNECTIONS, seconds: SECONDS, requests });
}

describe('a load', () => {
  it('refreshes for as long as it lasts, and uses each refresh token once, however fast the server is', async () => {
    const good = new Set(['first-0', 'first-1', 'first-2', 'first-3']);
    let made = 0;
    let replays = 0;
    const port = await serve((_request, body) => {
      if (!good.delete(new URLSearchParams(body).get('refresh_token') ?? '')) replays += 1;
      const refresh_token = `made-${made++}`;
      good.add(refresh_token);
      return { body: { refresh_token } };
    });
    const tokens = [...good];
    const result = await load(port, { kind: 'refresh', host: 'a', path: '/oauth/token', clientId: 'c', tokens });
    expect(replays).toBe(0);
    expect(result.requests).toBe(made);
    expect(result.statuses).toEqual({ 200: made });
    expect(made).toBeGreaterThan(tokens.length);
    expect(result.seconds).toBeGreaterThanOrEqual(SECONDS);
  });

  it('says what it was told when an answer gives no refresh token to go on with', async () => {
    const port = await serve(() => ({ status: 400, body: { error: 'invalid_grant' } }));
    const order: LoadRequests = { kind: 'refresh', host: 'a', path: '/', clientId: 'c', tokens: ['a', 'b', 'c', 'd'] };
    await expect(load(port, order)).rejects.toThrow('no refresh token to go on with: {"error":"invalid_grant"}');
  });

  it('proves each request anew with the key of its token', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ids: unknown[] = [];
    const port = await serve(({ headers }) => {
      ids.push(provenId(String(headers.dpop)));
      return { body: {} };
    });
    const order: LoadRequests = {
      kind: 'proven',
      host: 'a',
      path: '/v1/tasks?limit=20',
      url: 'http://a/v1/tasks',
      token: 'token',
      key: privateKey.export({ format: 'jwk' }),
    };
    const result = await load(port, order);
    expect(result.requests).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(CONNECTIONS);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives each request a text of its own where one is asked for', async () => {
    const keys: unknown[] = [];
    const port = await serve(({ headers }) => {
      keys.push(headers['idempotency-key']);
      return { body: {} };
    });
    await load(port, { kind: 'repeated', requests: ['GET / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {{n}}\r\n\r\n'] });
    expect(keys.length).toBeGreaterThan(CONNECTIONS);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

/**
 * Checks a proof for GET http://a/v1/tasks with the token "token".
 * @returns its id.
 * @throws when the proof is not valid.
 */
function provenId(proof: string): unknown {
  const [head = '', payload = '', signature = ''] = proof.split('.');
  const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { jwk } = decoded(head);
  const key = createPublicKey({ key: jwk as never, format: 'jwk' });
  const signed = Buffer.from(`${head}.${payload}`);
  const isSigned = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  const { htm, htu, jti } = decoded(payload);
  if (!isSigned || htm !== 'GET' || htu !== 'http://a/v1/tasks') throw new Error(`no proof: ${proof}`);
  return jti;
}
