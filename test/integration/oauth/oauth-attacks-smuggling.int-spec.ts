import { connect } from 'node:tls';
import { AttackFixture } from './attack-fixture.js';
import {
  Gateway,
  GATEWAY_HOST,
  type GatewayKind,
  GATEWAY_PREFIX,
  gatewayProgram,
} from '../../support/oauth/gateway.js';
import { freePort } from '../../support/loopback-port.js';

const KINDS: readonly GatewayKind[] = ['nginx', 'haproxy'];
const WAIT_MS = 1_500;

let fixture: AttackFixture;
/** The target of every request that has reached the service. */
const seen: string[] = [];

beforeAll(async () => {
  fixture = await AttackFixture.start({ environment: { trustedProxies: ['127.0.0.1/32'] } });
  fixture.app.app.getHttpServer().on('request', ({ url }: { url: string }) => seen.push(url));
});

afterAll(() => fixture?.close());

const start = (...lines: string[]): string =>
  [`POST ${GATEWAY_PREFIX}/oauth/token HTTP/1.1`, `Host: ${GATEWAY_HOST}`, ...lines, '', ''].join('\r\n');
/** A request that no gateway would pass on by itself, because it is outside the prefix. */
const hidden = 'GET /v1/smuggled HTTP/1.1\r\nHost: x\r\nX-Api-Key: evil\r\n\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded';
const chunked = 'Transfer-Encoding: chunked';
const all = `Content-Length: ${5 + hidden.length}`;

const ATTEMPTS: [string, string][] = [
  ['a length and chunks (CL.TE)', `${start(form, all, chunked)}0\r\n\r\n${hidden}`],
  [
    'chunks and a length (TE.CL)',
    `${start(form, chunked, 'Content-Length: 4')}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  ],
  ['two lengths (CL.CL)', `${start(form, 'Content-Length: 0', all)}0\r\n\r\n${hidden}`],
  ['two lengths in one', `${start(form, `Content-Length: 0, ${5 + hidden.length}`)}0\r\n\r\n${hidden}`],
  ['chunks under a name that is almost theirs', `${start(form, all, 'Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`],
  ['chunks after another coding', `${start(form, all, 'Transfer-Encoding: identity, chunked')}0\r\n\r\n${hidden}`],
  ['chunks named twice', `${start(form, all, chunked, 'Transfer-Encoding: x')}0\r\n\r\n${hidden}`],
  ['chunks behind a tab', `${start(form, all, 'Transfer-Encoding:\tchunked')}0\r\n\r\n${hidden}`],
  ['chunks behind a blank in the name', `${start(form, all, 'Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`],
  ['chunks behind a folded line', `${start(form, all, 'X: y', ' Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
  ['chunks behind a bare line feed', `${start(form, all, 'X: y\nTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
  ['a length with a sign', `${start(form, 'Content-Length: +0')}${hidden}`],
  ['a chunk whose size overflows', `${start(form, chunked)}10000000000000000\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk that ends by a bare line feed', `${start(form, chunked)}0;x=\n${hidden}\r\n0\r\n\r\n`],
  [
    'a target with a second request in it',
    start(form, 'Content-Length: 0').replace(' HTTP', `%0d%0a%0d%0a${encodeURI(hidden)} HTTP`),
  ],
];

describe.each(KINDS)('a request that is smuggled through %s', (kind) => {
  const isThere = gatewayProgram(kind) !== null;
  const describeWithGateway = isThere ? describe : describe.skip;
  const note = isThere ? '' : ` [not run: ${kind} is not installed]`;
  let gateway: Gateway;

  beforeAll(async () => {
    if (!isThere) return;
    const upstream = Number(new URL(fixture.url).port);
    gateway = await Gateway.start(kind, { own: await freePort(), upstream }, false);
  });

  afterAll(() => gateway?.stop());

  /**
   * Sends bytes over TLS.
   * @returns what comes back until the gateway closes the connection or has been silent for a while.
   */
  function send(bytes: string, firstWaitMs = WAIT_MS): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        socket.write(bytes);
      });
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        socket.setTimeout(WAIT_MS);
      });
      socket.on('error', () => resolve(answer)).on('close', () => resolve(answer));
      socket.setTimeout(firstWaitMs, () => socket.destroy());
    });
  }

  describeWithGateway(`which strips a path${note}`, () => {
    it('is not one that the gateway itself lets pass', async () => {
      seen.length = 0;
      const plain = `${start(form, 'Content-Length: 0')}${hidden}`;
      expect(await send(plain, 60_000)).toMatch(/^HTTP\/1.1 4/);
      expect(seen).toEqual(['/oauth/token']);
    });

    it.each(ATTEMPTS)('does not reach the service by %s', async (_, bytes) => {
      seen.length = 0;
      const answer = await fixture.unharmed(() => send(bytes));
      expect(answer).not.toMatch(/^HTTP\/1.1 (?:2|50[0234])/);
      // The next caller of the same gateway gets the answer to its own request.
      const next = await gateway.fetch(`https://${GATEWAY_HOST}:${gateway.port}${GATEWAY_PREFIX}/oauth/jwks`);
      expect(await next.json()).toHaveProperty('keys');
      expect(seen.filter((target) => target.startsWith('/v1/'))).toEqual([]);
    });
  });
});
