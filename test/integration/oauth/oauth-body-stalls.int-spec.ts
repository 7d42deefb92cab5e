import { Agent, request } from 'node:http';
import { fieldOf, readForm } from '../../../src/platform/pages/form-body.js';
import { leastMs, longestStall } from '../../support/event-loop-stall.js';
import { ListeningService } from '../../support/listening-service.js';

/**
 * Milliseconds that a body may block all other requests, beyond its bare parsing and the cost of the same request with
 * an ordinary body. The whole service answers, including its records.
 */
const MOST = 20;
const RUNS = 10;
/** Sizes in bytes of the largest bodies that the authorization server and the pages' forms accept. */
const OAUTH_BODY = 56 * 1024;
const FORM_BODY = 20 * 1024;
const FORM = 'application/x-www-form-urlencoded';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let app: ListeningService;

beforeAll(async () => {
  app = await ListeningService.listen({
    environment: { oauthDynamicRegistration: true },
    prepare: (application) => {
      const express = application.getHttpAdapter().getInstance();
      express.post('/form-of-the-spec', async (request: any, response: any) => {
        const form = await readForm(request, response, app.environment.baseUrl).catch(() => new URLSearchParams());
        for (const name of ['a', 'csrf', 'name', 'scope']) fieldOf(form, name);
        response.json({});
      });
    },
  });
});

afterAll(async () => {
  agent.destroy();
  await app.close();
});

function post(path: string, type: string, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), Origin: app.url };
    const sent = request(`${app.url}${path}`, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    // A service that refuses a body before its end may close the connection; the time it took is measured all the same.
    sent.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(0) : reject(error)));
    sent.end(text);
  });
}

/** `part` repeated as often as it fits into `bytes`, between `head` and `end`. */
function filled(bytes: number, part: (n: number) => string, head = '', end = ''): string {
  let text = head;
  for (let n = 0; ; n++) {
    const next = part(n);
    if (Buffer.byteLength(text) + Buffer.byteLength(next) + Buffer.byteLength(end) > bytes) return text + end;
    text += next;
  }
}

function forms(bytes: number, names: readonly string[]): [string, string][] {
  return [
    ['nothing but separators', '&'.repeat(bytes)],
    ['names without values', filled(bytes, () => 'a&')],
    ['names of many kinds', filled(bytes, (n) => `n${n}=1&`)],
    ['percent signs', `a=${'%'.repeat(bytes - 2)}`],
    ['escapes', `a=${'%41'.repeat(Math.floor((bytes - 2) / 3))}`],
    ['escapes that are no text', `a=${'%ff'.repeat(Math.floor((bytes - 2) / 3))}`],
    ['nulls', filled(bytes, () => 'a=%00&')],
    ...names.flatMap((name): [string, string][] => [
      [`${name} again and again`, filled(bytes, () => `${name}=x&`)],
      [`${name} of one letter`, `${name}=${'x'.repeat(bytes - name.length - 1)}`],
      [`${name} of blanks`, `${name}=${'+'.repeat(bytes - name.length - 1)}`],
      [`${name} of words`, `${name}=${'read+'.repeat(Math.floor((bytes - name.length - 1) / 5))}`],
      [`${name} of dots`, `${name}=${'.'.repeat(bytes - name.length - 1)}`],
      [`${name} of a URL`, `${name}=https://${'a.'.repeat(Math.floor((bytes - name.length - 9) / 2))}`],
    ]),
  ];
}

const REGISTRATION = [
  'redirect_uris',
  'client_name',
  'grant_types',
  'response_types',
  'scope',
  'contacts',
  'jwks',
  'x',
];

function registrations(): [string, string][] {
  return [
    ['unknown members', filled(OAUTH_BODY, (n) => `"m${n}":0,`, '{', '"z":0}')],
    ['objects in objects', `{${'"a":{'.repeat(5_000)}${'}'.repeat(5_001)}`],
    ...REGISTRATION.flatMap((name): [string, string][] => [
      [`${name}: objects`, filled(OAUTH_BODY, () => '{},', `{"${name}":[`, '{}]}')],
      [`${name}: texts`, filled(OAUTH_BODY, () => '"a",', `{"${name}":[`, '"a"]}')],
      [`${name}: URLs`, filled(OAUTH_BODY, (n) => `"http://127.0.0.1/${n}",`, `{"${name}":[`, '"http://127.0.0.1/"]}')],
      [`${name}: a long text`, filled(OAUTH_BODY, () => 'x', `{"${name}":"`, '"}')],
      [`${name}: what nobody sees`, filled(OAUTH_BODY, () => '\u200b', `{"${name}":"`, '"}')],
      [`${name}: keys`, filled(OAUTH_BODY, () => '{"kty":"EC"},', `{"${name}":{"keys":[`, '{}]}}')],
    ]),
  ];
}

async function ordinaryStall(path: string, type: string): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    least = Math.min(least, await longestStall(() => post(path, type, type === FORM ? 'a=b' : '{"a":"b"}')));
  }
  return least;
}

async function slowOf(path: string, type: string, bodies: readonly [string, string][]): Promise<string[]> {
  const slow: string[] = [];
  const ordinary = await ordinaryStall(path, type);
  for (const [what, text] of bodies) {
    const parsing = leastMs(3, () => (type === FORM ? void new URLSearchParams(text) : void JSON.parse(text)));
    let least = Infinity;
    for (let run = 0; run < RUNS && least > MOST; run++) {
      const stall = await longestStall(() => post(path, type, text));
      least = Math.min(least, stall - parsing - ordinary);
    }
    if (least > MOST) slow.push(`${path}: ${what}: ${least.toFixed(1)} ms`);
  }
  return slow;
}

it.each([
  ['/oauth/token', ['grant_type', 'code', 'client_id', 'client_assertion', 'scope', 'resource']],
  ['/oauth/revoke', ['token', 'client_id']],
  ['/oauth/par', ['client_id', 'redirect_uri', 'scope', 'resource', 'code_challenge', 'prompt']],
])(
  'no form holds the others up at %s',
  async (path, names) => {
    expect(await slowOf(path, FORM, forms(OAUTH_BODY, names))).toEqual([]);
  },
  300_000,
);

it('no form of a page holds the others up', async () => {
  expect(await slowOf('/form-of-the-spec', FORM, forms(FORM_BODY, ['a']))).toEqual([]);
}, 300_000);

it('no registration holds the others up', async () => {
  expect(await slowOf('/oauth/register', 'application/json', registrations())).toEqual([]);
}, 300_000);
