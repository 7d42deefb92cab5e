import { randomBytes, randomUUID } from 'node:crypto';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { AccountErasure } from '../../../src/tools/accounts/account-erasure.js';
import { eventually } from '../../support/eventually.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import type { Caller } from '../../support/test-service.js';
import { type Answer, ArtifactsApp, sha256 } from './artifacts-app.js';

let app: ArtifactsApp;
let caller: Caller;
beforeAll(async () => {
  app = await ArtifactsApp.start();
});
beforeEach(async () => {
  caller = await app.caller();
});
afterAll(() => app?.close());

/** Sends half of an artifact, does something once it is arriving, and sends the rest. */
async function uploadAround(meanwhile: () => Promise<unknown>, headers: Record<string, string>): Promise<Answer> {
  const bytes = randomBytes(1_000);
  const known = (await app.files()).length;
  const { request, answer } = app.request('PUT', `/v1/artifacts/${sha256(bytes)}`, null, {
    chunks: [bytes.subarray(0, 500)],
    chunked: true,
    key: randomUUID(),
    headers,
  });
  await eventually(async () => (await app.files()).length > known);
  await meanwhile();
  request.end(bytes.subarray(500));
  const received = await answer;
  await eventually(async () => (await app.files()).every((name) => /^[0-9a-f]{64}$/.test(name)));
  const rows = await app.dataSource.query('SELECT FROM artifact_custody WHERE artifact_hash = $1', [sha256(bytes)]);
  const isStored = (await app.files()).includes(sha256(bytes).slice(2));
  // An artifact is taken whole, row and object, or not at all.
  expect([received.status === 200, rows.length, isStored]).toEqual(
    received.status === 200 ? [true, 1, true] : [false, 0, false],
  );
  return received;
}

const byKey = (): Record<string, string> => ({ 'X-Api-Key': caller.keys.worker });
const suspend = () => app.part(AccountsService).suspend(caller.accountId);
const codeOf = ({ status, body }: Answer): [number, string] => [status, body.error?.code];

describe('an upload that began while its credential held', () => {
  it('is taken when nothing has changed', async () => {
    expect((await uploadAround(() => Promise.resolve(), byKey())).status).toBe(200);
  });

  it('is refused when the account was suspended meanwhile', async () => {
    expect(codeOf(await uploadAround(suspend, byKey()))).toEqual([403, 'account_suspended']);
  });

  it('is refused when the account was erased meanwhile', async () => {
    const erase = async (): Promise<void> => {
      await suspend();
      await new AccountErasure(app.dataSource).erase(caller.accountId);
    };
    expect(codeOf(await uploadAround(erase, byKey()))).toEqual([403, 'account_suspended']);
  });

  it('is refused when its key was revoked meanwhile, and not when another one was', async () => {
    const revoke = async (scope: 'read' | 'worker'): Promise<void> => {
      const keys = app.part(ApiKeysService);
      const own = await app.dataSource.query('SELECT id FROM api_keys WHERE account_id = $1 AND scope = $2', [
        caller.accountId,
        scope,
      ]);
      await keys.revoke(own[0].id);
    };
    expect((await uploadAround(() => revoke('read'), byKey())).status).toBe(200);
    const refused = await uploadAround(() => revoke('worker'), byKey());
    expect(codeOf(refused)).toEqual([401, 'api_key_revoked']);
    expect(refused.headers['www-authenticate']).toContain('Bearer');
  });

  it('is refused when the person took the access back meanwhile, and not when the token reached its end', async () => {
    const tokens = new AccessTokenRows((text, values) => app.dataSource.query(text, values), 'https://market.example');
    const { token, grant } = await tokens.issue(caller.accountId);
    const headers = { Authorization: `Bearer ${token}` };
    const setOf = (change: string) => app.dataSource.query(`UPDATE ${change}`, [grant.id]);
    const expired = () => setOf(`oauth_records SET expires_at = now() WHERE kind = 'AccessToken' AND grant_id = $1`);
    expect((await uploadAround(expired, headers)).status).toBe(200);

    const again = { Authorization: `Bearer ${await tokens.token(grant)}` };
    const refused = await uploadAround(() => setOf('oauth_grants SET revoked_at = now() WHERE id = $1'), again);
    expect(codeOf(refused)).toEqual([401, 'invalid_token']);
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});
