import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifyAgentCardSignature } from '@a2a-js/sdk';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { jcs } from '../../../libs/notation/src/index.js';
import { announceCredentialChange } from '../../../src/modules/accounts/credential-changes.js';
import { EndpointLooksSweeper } from '../../../src/modules/agents/card/endpoint-looks.sweeper.js';
import { SIGNING_KEYS_CHANGED, SigningKeys } from '../../../src/modules/oauth/storage/signing-keys.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { Certificate } from '../../support/oauth/certificate.js';
import { randomWallet } from '../../support/random-wallet.js';
import type { Caller } from '../../support/test-service.js';

const fresh = () => randomWallet().address;
const AWAY = {
  error: {
    code: 'service_unavailable',
    reason: 'The host in agent_card_url cannot be reached at the moment.',
    suggestion: 'Check that it answers from the public internet, and try again in a moment.',
  },
};
const A2A = { protocolBinding: 'JSONRPC', protocolVersion: '1.0' };

let certificate: Certificate;
let host: Server;
let at: string;
let side: ListeningService;
let owner: Caller;
let rival: Caller;
/** What the owner's host answers: status, content type, body. */
let answer: [number, string, string];
/** The same of single paths. */
const answers = new Map<string, [number, string, string]>();
/** What happens while the host is asked, once. */
let meanwhile: (() => Promise<void>) | undefined;
let asked: string[] = [];

beforeAll(async () => {
  certificate = Certificate.for(['*.agents.example']);
  host = createServer(certificate.pair, (request, response) => {
    asked.push(request.url ?? '');
    const first = meanwhile;
    meanwhile = undefined;
    void Promise.resolve(first?.()).then(() => {
      const [status, type, body] = answers.get(request.url ?? '') ?? answer;
      response.writeHead(status, { 'content-type': type, location: '/other' }).end(body);
    });
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  at = `https://lexica.agents.example:${(host.address() as AddressInfo).port}`;
  const dns = {
    authorities: certificate.pair.cert,
    resolve: (name: string) => {
      if (name.startsWith('nowhere.')) return Promise.reject(new Error('ENOTFOUND'));
      if (name.startsWith('silent.')) return new Promise<string[]>(() => undefined);
      return Promise.resolve(name.startsWith('inside.') ? ['10.0.0.1'] : ['127.0.0.1']);
    },
  };
  side = await ListeningService.listen({
    environment: { oauthPrivateNetworks: ['127.0.0.0/8'] },
    override: (testing: TestingModuleBuilder) => testing.overrideProvider(EgressDns).useValue(dns),
  });
});
beforeEach(async () => {
  [owner, rival] = await Promise.all([side.caller(fresh()), side.caller(fresh())]);
  publishes([{ url: `${at}/a2a`, ...A2A }]);
  asked = [];
});
afterAll(async () => {
  await side?.close();
  host?.closeAllConnections();
  await new Promise((done) => host.close(done));
  certificate.remove();
});

const publishes = (supportedInterfaces: unknown): void => {
  answer = [200, 'application/json', JSON.stringify({ name: 'Lexica', supportedInterfaces })];
};

async function send(method: string, path: string, body?: object, key = owner.keys['agent-owner']) {
  const response = await fetch(`${side.url}${path}`, {
    method,
    headers: {
      'X-Api-Key': key,
      ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

async function agent(more: object = {}): Promise<string> {
  const { body } = await send('POST', '/v1/agents', { name: 'Lexica', agent_card_url: `${at}/card`, ...more });
  return body.id;
}
const card = async (id: string) => (await send('GET', `/v1/agents/${id}/card`, undefined, rival.keys.read)).body;
const endpoint = (id: string, url = `${at}/a2a`) => send('PUT', `/v1/agents/${id}/endpoint`, { url });
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error?.code, body.error?.reason];
const keySet = async (): Promise<JSONWebKeySet> => (await (await fetch(`${side.url}/oauth/jwks`)).json()) as never;

/** Verifies with the published keys and the text of RFC 8785 alone. @returns the protected header. */
async function verified({ signatures, ...signed }: any) {
  const payload = Buffer.from(jcs(signed), 'utf8').toString('base64url');
  return (await flattenedVerify({ payload, ...signatures[0] }, createLocalJWKSet(await keySet()))).protectedHeader!;
}

it("is made of the profile, and leads to the market's interfaces where the agent has none of its own", async () => {
  const id = await agent({ capabilities: ['translation', 'Müll "prüfen"'], description: 'Reads.\nWrites.' });
  const { signatures, ...made } = await card(id);
  expect(made).toEqual({
    name: 'Lexica',
    description: 'Reads.\nWrites.',
    version: expect.stringMatching(/^\d{4}-.*Z$/),
    provider: { organization: 'Tasktree', url: side.url },
    documentationUrl: `${side.url}/llms.txt`,
    supportedInterfaces: [
      { url: `${side.url}/mcp`, protocolBinding: `${side.url}/mcp/server-card`, protocolVersion: expect.any(String) },
      { url: `${side.url}/v1`, protocolBinding: `${side.url}/openapi.json`, protocolVersion: expect.any(String) },
    ],
    securitySchemes: {
      apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } },
      oauth: { oauth2SecurityScheme: expect.objectContaining({ flows: expect.any(Object) }) },
    },
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extensions: [
        {
          uri: `${side.url}/skill.md`,
          description: 'The agent is hired and paid at Tasktree, whatever else it speaks.',
          params: { agent_id: id, agent_url: `${side.url}/v1/agents/${id}`, agent_card_url: `${at}/card` },
        },
      ],
    },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/octet-stream'],
    skills: ['translation', 'Müll "prüfen"'].map((name) => ({ id: name, name, description: name, tags: [name] })),
  });
  expect(signatures).toHaveLength(1);
  expect(asked).toEqual([]);
});

it('is verified from the published key set alone, and by the SDK of A2A, and not once anything is changed', async () => {
  const bySdk = async (shown: any) =>
    verifyAgentCardSignature(async (kid, jku) => {
      expect(jku).toBe(`${side.url}/oauth/jwks`);
      return (await keySet()).keys.find((key) => key.kid === kid)!;
    })(shown);
  jest.spyOn(console, 'debug').mockImplementation(() => undefined);
  // Without a description and a capability, and with an endpoint: every member that a card may lack.
  const spare = await agent();
  await endpoint(spare);
  for (const id of [await agent({ capabilities: ['audit'], description: 'Audits €😀.' }), spare]) {
    const shown = await card(id);
    expect(await verified(shown)).toEqual({
      alg: 'ES256',
      typ: 'JOSE',
      kid: (await keySet()).keys[0]!.kid,
      jku: `${side.url}/oauth/jwks`,
    });
    await bySdk(shown);
    for (const forged of [
      { ...shown, name: 'Other' },
      { ...shown, supportedInterfaces: [{ url: 'https://evil.example', ...A2A }] },
      { ...shown, skills: [] },
    ]) {
      await expect(verified(forged)).rejects.toThrow('signature verification failed');
      await expect(bySdk(forged)).rejects.toThrow('No valid signatures');
    }
  }
});

it('is not sent twice, and is verified with the new key from the moment on at which that signs', async () => {
  const id = await agent();
  const path = `/v1/agents/${id}/card`;
  const first = await fetch(`${side.url}${path}`, { headers: { 'X-Api-Key': owner.keys.read } });
  const held = { 'X-Api-Key': owner.keys.read, 'If-None-Match': first.headers.get('etag')! };
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect((await fetch(`${side.url}${path}`, { headers: held })).status).toBe(304);
  const before = await verified(await card(id));
  const { keyId } = await side.get(SigningKeys).rotate(null);
  expect((await verified(await card(id))).kid).toBe(before.kid);
  await eventually(async () => (await keySet()).keys.length === 2);
  await side.rows('UPDATE oauth_signing_keys SET signs_from = created_at');
  // The keys are read when they change, and not for each card.
  await announceCredentialChange(side.get(Transactions), SIGNING_KEYS_CHANGED);
  await eventually(async () => (await verified(await card(id))).kid === keyId);
});

it('is for callers, and only while there is an agent to hire', async () => {
  const id = await agent();
  expect((await fetch(`${side.url}/v1/agents/${id}/card`)).status).toBe(401);
  expect(refusal(await send('GET', `/v1/agents/${id}/card`)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  await send('PATCH', `/v1/agents/${id}`, { status: 'inactive' });
  expect((await card(id)).name).toBe('Lexica');
  await send('PATCH', `/v1/agents/${id}`, { status: 'retired' });
  expect((await card(id)).error).toEqual({ code: 'not_found', reason: 'The agent is retired, so it has no card.' });
  expect(refusal(await endpoint(id)).slice(0, 2)).toEqual([409, 'state_conflict']);
});

it('shows the endpoint that the agent has, once its own card was found to name it', async () => {
  const id = await agent();
  const { version } = await card(id);
  const other = { url: `${at}/a2a`, protocolBinding: 'https://bindings.example/ws', protocolVersion: '1.0' };
  publishes([null, 'text', { url: 7 }, other, { url: `${at}/a2a`, ...A2A, tenant: 'x' }]);
  const set = await endpoint(id, `${at}/x/../a2a`);
  expect([set.status, set.body]).toEqual([
    200,
    { url: `${at}/a2a`, protocol_binding: 'JSONRPC', protocol_version: '1.0', checked_at: expect.any(String) },
  ]);
  const shown = await card(id);
  expect(shown.supportedInterfaces).toEqual([{ url: `${at}/a2a`, ...A2A }]);
  expect(shown).not.toHaveProperty('securitySchemes');
  expect(shown.capabilities.extensions[0].params.endpoint_checked_at).toBe(set.body.checked_at);
  expect(Object.keys(shown.capabilities)).toEqual(['extensions']);
  // Nobody who reads asks the host.
  expect(asked).toEqual(['/card']);
  expect(shown.version >= version).toBe(true);
  // The log has it within a moment.
  await eventually(async () => {
    const { body } = await send('GET', `/v1/events?types=agent.updated`, undefined, owner.keys.read);
    return body.data[0]?.data.changed.join() === 'endpoint';
  });

  // Another card may name other addresses.
  await send('PATCH', `/v1/agents/${id}`, { agent_card_url: `${at}/card2` });
  expect((await card(id)).supportedInterfaces).toHaveLength(2);
  await send('PATCH', `/v1/agents/${id}`, { agent_card_url: `${at}/card` });
  expect((await card(id)).supportedInterfaces).toHaveLength(1);

  const path = `/v1/agents/${id}/endpoint`;
  expect(refusal(await send('DELETE', path, undefined, rival.keys['agent-owner'])).slice(0, 2)).toEqual([
    404,
    'not_found',
  ]);
  expect((await send('DELETE', path)).body).toEqual(set.body);
  expect((await send('DELETE', path)).status).toBe(404);
  expect((await card(id)).supportedInterfaces).toHaveLength(2);
});

it.each<[string, [number, string, string]]>([
  ['is not there', [404, 'application/json', '{}']],
  ['is somewhere else', [302, 'application/json', '{}']],
  ['is a page', [200, 'text/html', '<p>']],
  ['is not JSON', [200, 'application/json', '{']],
  ['is larger than 64 KiB', [200, 'application/json', `{"a":"${'x'.repeat(64 * 1024)}"}`]],
  ['is a list', [200, 'application/json', '[]']],
  ['is nothing', [200, 'application/json', 'null']],
  ['names no interface', [200, 'application/json', '{"supportedInterfaces":{}}']],
])('no endpoint is shown whose card %s', async (_, answered) => {
  const id = await agent();
  answer = answered;
  const [status, code, reason] = refusal(await endpoint(id));
  expect([status, code]).toEqual([400, 'invalid_body']);
  expect(reason).toMatch(
    /^The card at agent_card_url (could not be fetched|is not JSON|names no A2A 1\.0 interface at url)\.$/,
  );
  expect((await card(id)).supportedInterfaces).toHaveLength(2);
});

it.each([
  ['another address', { url: 'https://other.example/a2a', ...A2A }],
  ['another form of it', { url: 'http://lexica.agents.example/a2a', ...A2A }],
  ['a binding that is not of A2A', { protocolBinding: 'SOAP', protocolVersion: '1.0' }],
  ['no version', { protocolBinding: 'JSONRPC' }],
  ['a version with a text in it', { protocolBinding: 'JSONRPC', protocolVersion: '1.0 <b>' }],
])('no endpoint is shown of which the card names %s', async (_, named) => {
  publishes([{ url: `${at}/a2a`, ...named }]);
  expect(refusal(await endpoint(await agent()))).toEqual([
    400,
    'invalid_body',
    'The card at agent_card_url names no A2A 1.0 interface at url.',
  ]);
});

it('no endpoint is refused for a host that is away, and no answer tells why, nor of which names inside there are', async () => {
  const id = await agent();
  const refusedPort = async (): Promise<number> => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));
    return port;
  };
  for (const url of [
    'https://nowhere.agents.example/card',
    'https://silent.agents.example/card',
    'https://inside.agents.example/card',
    `https://lexica.agents.example:${await refusedPort()}/card`,
    `https://other.example:${new URL(at).port}/card`,
  ]) {
    await send('PATCH', `/v1/agents/${id}`, { agent_card_url: url });
    const { status, headers, body } = await endpoint(id);
    expect([url, status, headers.get('retry-after'), body]).toEqual([url, 503, '2', AWAY]);
  }
  expect(asked).toEqual([]);
  await send('PATCH', `/v1/agents/${id}`, { agent_card_url: `${at}/card` });
  for (const status of [500, 503, 429]) {
    answer = [status, 'application/json', '{}'];
    expect((await endpoint(id)).body).toEqual(AWAY);
  }
  publishes([{ url: `${at}/a2a`, ...A2A }]);
  expect((await endpoint(id)).status).toBe(200);
});

it('no host is asked that is inside, none for another owner, and none without end', async () => {
  const local = await agent({ agent_card_url: 'https://169.254.169.254/card' });
  expect(refusal(await endpoint(local))).toEqual([
    400,
    'invalid_body',
    'The card at agent_card_url could not be fetched.',
  ]);
  const id = await agent();
  const byRival = await send('PUT', `/v1/agents/${id}/endpoint`, { url: `${at}/a2a` }, rival.keys['agent-owner']);
  expect(refusal(byRival).slice(0, 2)).toEqual([404, 'not_found']);
  for (const url of ['http://lexica.agents.example/a2a', `${at}/a2a#x`, 'https://a:b@lexica.agents.example/', '', 7]) {
    expect((await send('PUT', `/v1/agents/${id}/endpoint`, { url })).status).toBe(400);
  }
  for (const url of ['https://10.0.0.1/a2a', 'https://[::1]/a2a', 'https://localhost/a2a', 'https://a.localhost./']) {
    expect(refusal(await endpoint(id, url))).toEqual([400, 'invalid_body', 'The host in url is not public.']);
  }
  expect(asked).toEqual([]);
  const statuses = [];
  for (let count = 0; count < 10; count += 1) statuses.push((await endpoint(id)).status);
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
});

describe('an endpoint that was named', () => {
  const DAY_MS = 86_400_000;
  /** A day, and all by which looks are spread. */
  const NEXT_MS = DAY_MS + 7_200_000;
  let base = 0;

  beforeAll(() => {
    base = side.clock.aheadMs;
  });
  // Each look counts for the limit of the host.
  beforeEach(() => side.rows('DELETE FROM agent_endpoints'));
  afterAll(() => {
    side.clock.aheadMs = base;
    answers.clear();
  });

  /** Looks at what is due after so many milliseconds more. */
  const later = async (ms: number): Promise<void> => {
    side.clock.aheadMs += ms;
    await side.get(EndpointLooksSweeper).sweep();
  };
  const state = async (id: string): Promise<any> =>
    (await send('GET', `/v1/agents/${id}`, undefined, owner.keys.read)).body.endpoint;
  const ways = async (id: string): Promise<number> => (await card(id)).supportedInterfaces.length;
  const told = async (): Promise<number> => {
    const { body } = await send('GET', '/v1/events?types=agent.updated', undefined, owner.keys.read);
    return body.data.length;
  };
  const named = (url = `${at}/a2a`, more: object = {}): [number, string, string] => [
    200,
    'application/json',
    JSON.stringify({ supportedInterfaces: [{ url, ...A2A, ...more }] }),
  ];

  it('is looked at once a day, and shown as what was found, to its owner with how it stands', async () => {
    const id = await agent({ agent_card_url: `${at}/daily` });
    answers.set('/daily', named());
    const { checked_at } = (await endpoint(id)).body;
    expect(await state(id)).toEqual({ url: `${at}/a2a`, shown: true, checked_at });
    expect((await send('GET', `/v1/agents/${id}`, undefined, rival.keys.read)).body.endpoint).toBeUndefined();
    const looks = () => asked.filter((path) => path === '/daily').length;
    await later(DAY_MS - 60_000);
    expect(looks()).toBe(1);
    await later(NEXT_MS);
    await eventually(async () => (await state(id)).checked_at > checked_at);
    await later(60_000);
    expect(looks()).toBe(2);
    answers.set('/daily', named(`${at}/a2a`, { protocolVersion: '1.1' }));
    await later(NEXT_MS);
    await eventually(async () => (await card(id)).supportedInterfaces[0].protocolVersion === '1.1');
    // Named, and changed once: looks that find nothing new are told to nobody.
    await eventually(async () => (await told()) === 2);
  });

  it.each<[string, [number, string, string]]>([
    ['is not there', [503, 'application/json', '{}']],
    ['is somewhere else', [302, 'application/json', '{}']],
    ['is larger than 64 KiB', [200, 'application/json', `{"a":"${'x'.repeat(64 * 1024)}"}`]],
    ['names another address', [200, 'application/json', '{"supportedInterfaces":[{"url":"https://x.example/"}]}']],
  ])('whose card %s is left out after three days of it, and comes back by itself', async (_, failing) => {
    const path = `/${randomUUID()}`;
    const id = await agent({ agent_card_url: `${at}${path}` });
    answers.set(path, named());
    const { checked_at } = (await endpoint(id)).body;
    answers.set(path, failing);
    for (const _day of [1, 2]) {
      await later(NEXT_MS);
      await eventually(async () => (await state(id)).failing_since !== undefined);
      expect([await ways(id), (await state(id)).shown]).toEqual([1, true]);
    }
    await later(NEXT_MS);
    await eventually(async () => !(await state(id)).shown);
    expect(await ways(id)).toBe(2);
    expect(await state(id)).toEqual({ url: `${at}/a2a`, shown: false, checked_at, failing_since: expect.any(String) });
    await eventually(async () => (await told()) === 2);
    answers.set(path, named());
    await later(NEXT_MS);
    await eventually(async () => (await state(id)).shown);
    expect([await ways(id), (await state(id)).failing_since]).toEqual([1, undefined]);
    await eventually(async () => (await told()) === 3);
    expect(asked.filter((asked) => asked === path)).toHaveLength(5);
    expect(asked).not.toContain('/other');
  });

  it('survives a failed look, and one outage after the other', async () => {
    const path = `/${randomUUID()}`;
    const id = await agent({ agent_card_url: `${at}${path}` });
    answers.set(path, named());
    await endpoint(id);
    for (const isThere of [false, false, true, false, false]) {
      answers.set(path, isThere ? named() : [503, 'text/plain', '']);
      await later(NEXT_MS);
      await eventually(async () => ((await state(id)).failing_since === undefined) === isThere);
    }
    expect(await ways(id)).toBe(1);
  });

  it('is not asked for where it leads inside by now, nor where no card could show it', async () => {
    const [inside, gone, other] = [await agent(), await agent(), await agent()];
    for (const id of [inside, gone, other]) await endpoint(id);
    // As if the name led elsewhere today.
    const url = 'https://inside.agents.example/card';
    await side.rows('UPDATE agents SET agent_card_url = $2 WHERE id = $1', [inside, url]);
    await side.rows('UPDATE agent_endpoints SET card_url = $2 WHERE agent_id = $1', [inside, url]);
    await send('PATCH', `/v1/agents/${gone}`, { status: 'retired' });
    await send('PATCH', `/v1/agents/${other}`, { agent_card_url: `${at}/elsewhere` });
    asked = [];
    await later(NEXT_MS);
    await eventually(async () => (await state(inside)).failing_since !== undefined);
    expect((await state(other)).failing_since).toBeUndefined();
    expect(await state(gone)).toMatchObject({ shown: false });
    expect([(await state(other)).shown, asked.includes('/elsewhere')]).toEqual([false, false]);
    const [{ waiting }] = await side.rows<any>(
      'SELECT count(*)::int AS waiting FROM agent_endpoints WHERE next_look_at <= $1',
      [side.clock.now()],
    );
    expect(waiting).toBe(0);
  });

  it('is as its owner has named it while it was looked at', async () => {
    const path = `/${randomUUID()}`;
    const id = await agent({ agent_card_url: `${at}${path}` });
    answers.set(path, named());
    await endpoint(id);
    meanwhile = async () => {
      await endpoint(id);
      answers.set(path, [503, 'text/plain', '']);
    };
    await later(NEXT_MS);
    expect(asked).toEqual([path, path, path]);
    expect(await state(id)).toMatchObject({ shown: true });
    expect((await state(id)).failing_since).toBeUndefined();
  });

  it('is looked at by one process alone', async () => {
    const path = `/${randomUUID()}`;
    const id = await agent({ agent_card_url: `${at}${path}` });
    answers.set(path, named());
    await endpoint(id);
    asked = [];
    side.clock.aheadMs += NEXT_MS;
    const sweeper = side.get(EndpointLooksSweeper);
    await Promise.all([sweeper.sweep(), sweeper.sweep(), sweeper.sweep()]);
    await eventually(() => asked.includes(path));
    expect(asked.filter((one) => one === path)).toHaveLength(1);
  });
});
