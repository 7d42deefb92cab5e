import { createServer, type IncomingMessage, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type AddressInfo } from 'node:net';
import { RpcTransport } from './rpc-transport.js';

interface Sent {
  headers: IncomingMessage['headers'];
  url: string | undefined;
  body: any;
}

let server: Server;
let sent: Sent[];
let answer: (body: any) => { status?: number; text: string | Buffer; headers?: Record<string, string> };
let transport: RpcTransport;

const results = (body: any): string =>
  JSON.stringify([body].flat().map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] })));

async function start(batch: number, credential = ''): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  transport = new RpcTransport(`http://${credential}127.0.0.1:${port}/rpc/key?a=b`, { timeoutMs: 2_000, batch });
}

beforeEach(() => {
  sent = [];
  answer = (body) => ({ text: results(body) });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      sent.push({ headers: request.headers, url: request.url, body });
      const { status = 200, text, headers = {} } = answer(body);
      response.writeHead(status, headers).end(text);
    });
  });
});

afterEach(async () => {
  await transport.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('the transport of JSON-RPC', () => {
  it('sends the calls of one turn in as few requests as its bound allows, and gives each its own answer', async () => {
    await start(2);
    const calls = [1, 2, 3].map((n) => transport.call('eth_call', [n]));
    expect(await Promise.all(calls)).toEqual([{ result: 1 }, { result: 2 }, { result: 3 }]);
    const sizes = sent.map(({ body }) => (Array.isArray(body) ? body.length : 1));
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(sent.map(({ url }) => url)).toEqual(['/rpc/key?a=b', '/rpc/key?a=b']);
  });

  it('shows the credential of its address as a header, and reads zipped answers', async () => {
    await start(1, 'us%40er:pass@');
    answer = (body) => ({ text: gzipSync(results(body)), headers: { 'Content-Encoding': 'gzip' } });
    expect(await transport.call('eth_call', ['zipped'])).toEqual({ result: 'zipped' });
    expect(sent[0]?.headers.authorization).toBe(`Basic ${Buffer.from('us@er:pass').toString('base64')}`);
  });

  it.each([
    ['an error of HTTP', { status: 429, text: '[]' }, 'SERVER_ERROR'],
    ['no JSON', { text: '<html>' }, 'BAD_DATA'],
    ['an answer to something else', { text: '[{"id":99,"result":1}]' }, 'BAD_DATA'],
    ['neither result nor error', { text: '{"id":1}' }, 'BAD_DATA'],
    ['less than it promised', { text: 'x', headers: { 'Content-Length': '9' } }, expect.any(String)],
  ])('fails without naming an address when it gets %s', async (_what, given, code) => {
    await start(10);
    answer = () => given;
    const error = await transport.call('eth_call', [1]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'RpcFailure', code });
    expect(String(error)).not.toContain('127.0.0.1');
  });

  it('gives a call its error, and the others their results', async () => {
    await start(10);
    const refused = { code: 3, message: 'execution reverted', data: '0x' };
    answer = ([first, second]) => ({
      text: JSON.stringify([
        { id: second.id, error: refused },
        { id: first.id, result: null },
      ]),
    });
    const calls = [transport.call('eth_call', [1]), transport.call('eth_call', [2])];
    expect(await Promise.all(calls)).toEqual([{ result: null }, { error: refused }]);
  });
});
