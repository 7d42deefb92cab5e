import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { OAuthClients } from '../../../src/modules/oauth/storage/oauth-clients.js';
import { SigningKeys } from '../../../src/modules/oauth/storage/signing-keys.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../../../src/modules/prepared-actions/action/signing-links.js';
import { IdempotencyRecords } from '../../../src/platform/idempotency/idempotency-records.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Cursors } from '../../../src/platform/pagination/cursor.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { FormTokens } from '../../../src/platform/pages/form-tokens.js';
import { ListeningService } from '../../support/listening-service.js';
import { runToolWith } from '../../support/tool-run.js';
import { EndpointSecrets } from '../../../src/modules/webhooks/endpoints/endpoint-secrets.js';
import { WebhookEndpointEntity } from '../../../src/modules/webhooks/endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsService } from '../../../src/modules/webhooks/endpoints/webhook-endpoints.service.js';
import { WebhookSigningKeys } from '../../../src/modules/webhooks/signing/webhook-signing-keys.js';

jest.setTimeout(240_000);

const OLD = 'the secret of the first year, which has leaked';
const NEW = 'the secret of the second year, kept much better';
const WRONG = 'a secret that was never one of this service';
const PLACE = { accountId: 'acct_x', operationId: 'listTasks', filters: {} };

/** The service under its first secret, which has made the values that are tested. */
let first: ListeningService;
const running: ListeningService[] = [];
let made: Awaited<ReturnType<typeof makeEverything>>;

beforeAll(async () => {
  first = await under(OLD);
  made = await makeEverything();
});
afterAll(async () => {
  for (const app of running.toReversed()) await app.close();
});

/** Starts another process of the service on the same database, under these secrets. */
async function under(appSecret: string, ...appSecretPrevious: string[]): Promise<ListeningService> {
  const app = await ListeningService.listen({
    environment: { appSecret, appSecretPrevious },
    ...(first && { databaseUrl: first.environment.databaseUrl }),
  });
  running.push(app);
  return app;
}

async function makeEverything() {
  const account = await first.account(`Ada ${randomUUID()}`);
  const keys = first.get(ApiKeysService);
  const [used, unused] = await Promise.all([
    keys.create(account.id, { scope: 'read', name: 'used' }),
    keys.create(account.id, { scope: 'read', name: 'unused' }),
  ]);
  const newClient = { name: 'Gateway', redirectUris: [], authMethod: 'client_secret_basic' as const, isGateway: true };
  const client = await first.get(OAuthClients).register(newClient, null);
  const scope = randomBytes(32);
  await insertAnswer(account.id, scope);
  const actionId = `act_${randomUUID()}`;
  const link = first.get(SigningLinks).issue(actionId);
  await insertAction(account.id, actionId, link);
  const hooks = { accountId: account.id, credentialId: null, auditId: null };
  const { endpoint, secret } = await first
    .get(WebhookEndpointsService)
    .create(hooks, { url: 'https://hooks.invalid/' });
  const rotated = await first.get(WebhookEndpointsService).rotate(hooks, endpoint.id);
  return {
    hookSecrets: [rotated.secret, secret],
    hookKeys: (await first.get(WebhookSigningKeys).published()).map(({ id }) => id),
    used,
    unused,
    basic: `Basic ${Buffer.from(`${client.clientId}:${client.secret ?? ''}`).toString('base64')}`,
    clientId: client.clientId,
    scope,
    actionId,
    url: new URL(link.url).pathname,
    cursor: first.get(Cursors).seal(PLACE, ['here']),
    form: first.get(FormTokens).issue('browser', '/page'),
    signingKey: (await first.get(SigningKeys).current()).keys[0].kid,
  };
}

async function insertAnswer(accountId: string, scope: Buffer) {
  const body = first.get(Sealer).seal('idempotency-body', Buffer.from('{"a":1}'), scope.toString('hex'));
  await first.rows(
    `INSERT INTO idempotency_records (scope_hash, fingerprint, api_version, account_id, operation_id, status, headers,
       body, created_at, expires_at) VALUES ($1, '\\x00', '2026-11-20', $2, 'x', 200, '{}', $3, now(), now() + '1 day')`,
    [scope, accountId, body],
  );
}

async function insertAction(accountId: string, id: string, link: { tokenHash: Buffer; tokenSealed: Buffer }) {
  await first.rows(
    `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, chain_id,
       escrow_address, nonce, request_digest, payload, valid_until, signing_token_hash, signing_token_sealed, created_at, expires_at)
     VALUES ($1, $1, 'withdraw_refund', 'buyer', $2, '0x1', 31337, '0x2', 1, 'd', '{}', now(), $3, $4, now(), now() + '1 day')`,
    [id, accountId, link.tokenHash, link.tokenSealed],
  );
}

const whoAmI = async (app: ListeningService, secret: string) =>
  (await fetch(`${app.url}/v1/tasks`, { headers: { 'X-Api-Key': secret } })).status;
const introspect = async (app: ListeningService) => {
  const body = new URLSearchParams({ token: 'unknown' });
  const headers = { authorization: made.basic };
  return (await fetch(`${app.url}/oauth/introspect`, { method: 'POST', headers, body })).status;
};
const cursorOpens = (app: ListeningService) => {
  try {
    return app.get(Cursors).open(PLACE, made.cursor)[0] === 'here';
  } catch {
    return false;
  }
};
const formFits = (app: ListeningService) => {
  try {
    app.get(FormTokens).check('browser', '/page', made.form);
    return true;
  } catch {
    return false;
  }
};
const linkReopens = async (app: ListeningService) => {
  const action = await app.get(DataSource).getRepository(PreparedActionEntity).findOneByOrFail({ id: made.actionId });
  try {
    return new URL(app.get(SigningLinks).reopen(action)).pathname === made.url;
  } catch {
    return false;
  }
};
const answerOpens = async (app: ListeningService) => {
  const found = app.get(IdempotencyRecords).answerOf(app.get(Transactions), made.scope);
  return found.then(
    (answer) => answer?.text === '{"a":1}',
    () => false,
  );
};
const hookSecretsOf = async (app: ListeningService) => {
  const endpoint = await app.get(DataSource).getRepository(WebhookEndpointEntity).findOneByOrFail({});
  return app.get(EndpointSecrets).signing(endpoint, new Date());
};
const hookKeysOf = async (app: ListeningService) => (await app.get(WebhookSigningKeys).published()).map(({ id }) => id);
const rotate = (appSecret: string, previous: string, command = 'rotate') => {
  const { databaseUrl } = first.environment;
  const ring = { APP_SECRET: appSecret, APP_SECRET_PREVIOUS: JSON.stringify([previous]) };
  return runToolWith({ DATABASE_URL: databaseUrl, ...ring }, 'secrets', command, '--json');
};

it('a ring of the wrong secrets opens nothing', async () => {
  const wrong = await under(WRONG, `${WRONG}, too`);
  expect(await whoAmI(wrong, made.used.secret)).toBe(401);
  expect(await introspect(wrong)).toBe(401);
  expect([cursorOpens(wrong), formFits(wrong), await linkReopens(wrong), await answerOpens(wrong)]).toEqual(
    Array.from({ length: 4 }, () => false),
  );
  const { out } = await rotate(WRONG, `${WRONG}, too`);
  expect(JSON.parse(out).sealed.signing_links).toEqual({ current: 0, resealed: 0, previous: 0, unreadable: 1 });
  expect(await linkReopens(first)).toBe(true);
  // It can read no key that signs, so it makes new ones as long as it runs. They are deleted afterwards.
  await running.pop()?.close();
  await first.rows('DELETE FROM oauth_signing_keys WHERE id <> $1', [made.signingKey]);
  await first.rows('DELETE FROM webhook_signing_keys WHERE id <> ALL ($1)', [made.hookKeys]);
});

it('under a new secret everything of before works while the old one is in the ring', async () => {
  const both = await under(NEW, OLD);
  expect(await whoAmI(both, made.used.secret)).toBe(200);
  expect(await introspect(both)).toBe(200);
  expect([cursorOpens(both), formFits(both), await linkReopens(both), await answerOpens(both)]).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect((await both.get(SigningKeys).current()).keys.map(({ kid }) => kid)).toEqual([made.signingKey]);
});

it('rotate says what is left and of which kind, and running it again changes nothing', async () => {
  const asked = JSON.parse((await rotate(NEW, OLD, 'status')).out);
  expect(asked.sealed.signing_links).toEqual({ current: 0, resealed: 0, previous: 1, unreadable: 0 });
  const done = await rotate(NEW, OLD);
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).not.toMatch(/secret of the/);
  expect(JSON.parse(done.out)).toEqual({
    sealed: {
      signing_keys: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
      signing_links: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
      stored_answers: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
      webhook_secrets: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
      webhook_secrets_of_before: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
      webhook_keys: { current: 0, resealed: 1, previous: 0, unreadable: 0 },
    },
    // One of the two keys was used under the ring, and so was the application's secret, so they are no longer left.
    left: { api_keys: 1, clients: [] },
    done: false,
  });
  const again = JSON.parse((await rotate(NEW, OLD)).out);
  expect(again.sealed.stored_answers).toEqual({ current: 1, resealed: 0, previous: 0, unreadable: 0 });
  const events = await first.rows<{ detail: object }>(
    `SELECT detail FROM audit_events WHERE event = 'secrets_rotated' ORDER BY id DESC`,
  );
  expect(events[0]?.detail).toMatchObject({ by: 'operator', api_keys: 1, clients: 0 });
});

it('what was sealed anew or used works under the new secret alone; a key that was not used does not', async () => {
  const alone = await under(NEW);
  expect(await whoAmI(alone, made.used.secret)).toBe(200);
  expect(await whoAmI(alone, made.unused.secret)).toBe(401);
  expect(await introspect(alone)).toBe(200);
  expect([await linkReopens(alone), await answerOpens(alone)]).toEqual([true, true]);
  expect(await hookSecretsOf(alone)).toEqual(made.hookSecrets);
  expect(await hookKeysOf(alone)).toEqual(made.hookKeys);
  expect((await alone.get(SigningKeys).current()).keys.map(({ kid }) => kid)).toEqual([made.signingKey]);
  expect(cursorOpens(alone)).toBe(false);
});

it('the last key that is used, or ended, makes the old secret dispensable', async () => {
  await first.get(ApiKeysService).revoke(made.unused.key.id);
  expect(JSON.parse((await rotate(NEW, OLD)).out)).toMatchObject({ left: { api_keys: 0, clients: [] }, done: true });
});
