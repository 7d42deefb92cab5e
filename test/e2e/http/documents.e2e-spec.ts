import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectError } from '../../support/e2e/answers.js';
import { MarketDocument, pathOf } from '../../support/e2e/document.js';
import { send } from '../../support/e2e/http-request.js';
import { account, localMarket } from '../../support/market.js';

/**
 * The operations that were specified first (docs/decisions/interface.md#operations), typed here a second time on
 * purpose.
 */
const OPERATIONS = [
  'POST /v1/tasks/{task_id}/nodes/{node_id}/abandon-intents',
  'GET /v1/tasks/{task_id}/matches',
  'GET /v1/tasks/{task_id}/nodes',
  'GET /v1/tasks',
  'GET /v1/quotes',
  'GET /v1/deliveries',
  'GET /v1/reputation',
  'GET /v1/tasks/{task_id}/preview',
];
/** Required members of the resource that was specified in full (docs/decisions/interface.md#prepared-actions). */
const PREPARED_ACTION = [
  'action_id',
  'kind',
  'principal',
  'chain_id',
  'escrow_address',
  'nonce',
  'request_digest',
  'payload',
  'signing_url',
  'expires_at',
];

describe('/openapi.json', () => {
  it('is the committed document, but for the address of this deployment', async () => {
    const served = await send('/openapi.json');
    expect(served.status).toBe(200);
    const committed = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'));
    const { base_url } = localMarket();
    const [server] = committed.servers;
    expect(served.body.servers[0].url).toBe(base_url);
    const rebased = JSON.parse(JSON.stringify(committed).replaceAll(server.url, base_url));
    expect(served.body).toEqual(rebased);
  });

  it('is readable by everyone and carries the headers of every answer', async () => {
    const served = await send('/openapi.json');
    expect(served.headers.get('content-type')).toMatch(/^application\/json/);
    expect(served.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(served.headers.get('x-powered-by')).toBeNull();
  });

  it('describes the eight operations of the specification, each with one scope and its errors', async () => {
    const document = await MarketDocument.load();
    const described = document.routes.map(({ method, path }) => `${method} ${path}`);
    expect(described).toEqual(expect.arrayContaining(OPERATIONS));
    expect(document.json.openapi).toMatch(/^3\.1\./);
    expect(document.json.info.version).toBe('1.0.0');
    for (const { method, path, operationId, scope } of document.routes) {
      const operation = document.json.paths[path][method.toLowerCase()];
      // A submission needs the scope of its action, which can be any scope that prepares one.
      const scopes = scope === 'scope-of-action' ? ['read', 'buyer', 'worker'] : [scope];
      const security = [{ ApiKey: [] }, ...scopes.map((one) => ({ OAuth2: [one] }))];
      expect([operationId, operation.security]).toEqual([operationId, security]);
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        expect([operationId, status, Object.keys(response.headers)]).toEqual([
          operationId,
          status,
          expect.arrayContaining(['Service-Version']),
        ]);
        if (status === '200') continue;
        expect(response.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
      }
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '429']));
      expect(operation.responses['429'].headers).toHaveProperty('Retry-After');
      expect(operation.responses['429'].headers).toHaveProperty('X-Limit-Remaining');
    }
    expect(document.json.components.schemas.PreparedAction.required.toSorted()).toEqual(PREPARED_ACTION.toSorted());
  });

  it('describes every route that is served: each answers for itself, not as an unknown one', async () => {
    const document = await MarketDocument.load();
    for (const route of document.routes) {
      const answer = await send(pathOf(route), { method: route.method });
      expectError(answer, 401, 'unauthenticated');
    }
  });

  it('has examples that keep to its own schemas', async () => {
    const document = await MarketDocument.load();
    const faults: unknown[] = [];
    for (const { method, path, operationId } of document.routes) {
      const { content } = document.json.paths[path][method.toLowerCase()].responses['200'];
      // A stream has no document as a whole; its frames hold what another operation shows.
      if (!content['application/json']) continue;
      const { schema, example } = content['application/json'];
      faults.push(
        ...document.faults(schema.$ref.split('/').at(-1), example).map((fault) => `${operationId}: ${fault}`),
      );
    }
    expect(faults).toEqual([]);
  });
});

describe('/docs', () => {
  it('loads with everything it needs from this service alone', async () => {
    const page = await fetch(`${localMarket().base_url}/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const references = [...html.matchAll(/(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(1);
    for (const reference of references.filter((one) => !one.startsWith('data:'))) {
      const url = new URL(reference, page.url);
      expect([reference, url.origin]).toEqual([reference, localMarket().base_url]);
      const part = await fetch(url);
      expect([reference, part.status]).toEqual([reference, 200]);
      if (!/javascript|css/.test(part.headers.get('content-type') ?? '')) continue;
      const text = await part.text();
      expect(text).not.toMatch(/@import\s|url\(\s*["']?https?:|sourceMappingURL=https?:/);
    }
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>\s*\S/i);
  });

  it('is forbidden by its policy to load anything from elsewhere or to be framed', async () => {
    const policy = (await fetch(`${localMarket().base_url}/docs`)).headers.get('content-security-policy')!;
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  });
});

describe('operations for operators', () => {
  it.each(['/health', '/health/live', '/health/ready', '/health/startup', '/metrics'])(
    '%s is not on the public listener',
    async (path) => {
      expectError(await send(path), 404, 'unknown_route');
      const withKey = await send(path, { headers: { 'X-Api-Key': account('Ada').keys.read } });
      expectError(withKey, 404, 'unknown_route');
    },
  );

  it('are on the management listener, which serves nothing else', async () => {
    const { management_url } = localMarket();
    for (const path of ['/health/live', '/health/ready', '/health/startup', '/metrics']) {
      expect([path, (await fetch(management_url + path)).status]).toEqual([path, 200]);
    }
    const headers = { 'X-Api-Key': account('Ada').keys.read };
    for (const path of ['/v1/tasks', '/openapi.json', '/docs', '/']) {
      expect([path, (await fetch(management_url + path, { headers })).status]).toEqual([path, 404]);
    }
  });

  it('measure by route, never by id, key or account', async () => {
    const { management_url } = localMarket();
    const ada = account('Ada');
    const [task] = localMarket().tasks;
    await send(`/v1/tasks/${task!.id}`, { headers: { 'X-Api-Key': ada.keys.read } });
    const text = await (await fetch(`${management_url}/metrics`)).text();
    expect(text).toMatch(/\/v1\/tasks\/:task_id|\/v1\/tasks\/\{task_id\}/);
    for (const secret of [task!.id, ada.account_id, ada.keys.read]) expect(text).not.toContain(secret);
  });
});

it('the addresses of OAuth carry version and request id, and are not sniffed, also where they refuse', async () => {
  for (const [path, status] of [
    ['/.well-known/oauth-authorization-server', 200],
    ['/.well-known/oauth-protected-resource', 200],
    ['/oauth/authorize', 400],
  ] as const) {
    const answer = await send(path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
});
