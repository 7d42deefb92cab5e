import { ApiKeyVerifier } from '../../../src/modules/credentials/api-keys/api-key-verifier.js';
import { VerifiedKeys } from '../../../src/modules/credentials/api-keys/verified-keys.js';
import type { SpendLimits } from '../../../src/modules/credentials/spending/spend-limits.js';
import { SpendPolicyReader } from '../../../src/modules/credentials/spending/spend-policy-reader.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { eventually } from '../../support/eventually.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import { type FormValues, shown } from '../../support/oauth/person.js';

const SECRET = /mkt_test_[rbwo]_[0-9A-Za-z]{36}/g;

let site: AccountSite;

beforeAll(async () => {
  site = await AccountSite.start({ chain: true });
});
afterAll(() => site?.close());

/** The secrets of API keys that a page contains. */
const secretsOn = ({ html }: HtmlPage): string[] => html.match(SECRET) ?? [];

describe('key sets', () => {
  it('are shown once, work, and are in no page afterwards', async () => {
    const { person, accountId } = await site.signedIn();
    const made = await site.confirm(person, '/account/keys', '/account/keys', { name: 'My bot', days: '30' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const secrets = secretsOn(made);
    expect(secrets).toHaveLength(4);
    for (const name of ['READ', 'BUYER', 'WORKER', 'AGENT_OWNER']) {
      expect(made.html).toMatch(new RegExp(`^[^\\n]*TASKTREE_${name}_KEY=mkt_test_`, 'm'));
    }
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secrets[0]! })).status).toBe(200);
    const later = await site.open(person, '/account/keys');
    expect(secretsOn(later)).toEqual([]);
    expect(later.text).toContain('My bot');
    const keys = await site.keysOf(accountId);
    expect(keys.map(({ scope }) => scope)).toEqual(['read', 'buyer', 'worker', 'agent-owner']);
    expect(keys[0]!.expiresAt.getTime() - keys[0]!.createdAt.getTime()).toBe(30 * 86_400_000);
    expect((await site.eventsOf(accountId)).filter((event) => event === 'api_key_created')).toHaveLength(4);
  });

  it('are made once, however often and fast the form is sent', async () => {
    const { person, accountId } = await site.signedIn();
    const asked = await site.send(person, '/account/keys', '/account/keys', { name: 'x' });
    const signature = await person.sign(asked.message);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => shown(await person.answer(asked, signature))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(answers.flatMap(secretsOn)).toHaveLength(4);
    const again = shown(await person.answer(asked, signature));
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('sent before')]);
    expect(await site.keysOf(accountId)).toHaveLength(4);
  });

  it.each([
    ['no name', { name: ' ' }, 'set-name'],
    ['a name of 121 characters', { name: 'n'.repeat(121) }, 'set-name'],
    ['a name with hidden characters', { name: 'a\u202eb' }, 'set-name'],
    ['no day', { name: 'n', days: '0' }, 'set-days'],
    ['366 days', { name: 'n', days: '366' }, 'set-days'],
    ['half a day', { name: 'n', days: '1.5' }, 'set-days'],
    ['a network that is none', { name: 'n', cidrs: '10.0.0.0/8 10.0.0.0/33' }, 'set-cidrs'],
    ['a zone instead of a network', { name: 'n', cidrs: 'fe80::1%eth0/64' }, 'set-cidrs'],
  ])('with %s are not made, and the field says so', async (_, values, field) => {
    const { person, accountId } = await site.signedIn();
    const page = await site.send(person, '/account/keys', '/account/keys', values);
    expect(page.status).toBe(400);
    expect(page.html).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true" autofocus`));
    expect(page.html).toMatch(new RegExp(`id="${field}-fault" role="alert"`));
    expect(await site.keysOf(accountId)).toEqual([]);
    const mended = shown(await person.submit(page, page.form('/account/keys'), { name: 'n', days: '1', cidrs: '' }));
    expect([mended.status, mended.text]).toEqual([200, expect.stringContaining('Create a key set: confirm')]);
  });

  it('may be limited to networks', async () => {
    const { person } = await site.signedIn();
    const far = await site.confirm(person, '/account/keys', '/create', {
      name: 'far',
      cidrs: '203.0.113.0/24, 2001:db8::1',
    });
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secretsOn(far)[0]! })).status).toBe(401);
    const near = await site.confirm(person, '/account/keys', '/create', { name: 'near', cidrs: '127.0.0.1' });
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secretsOn(near)[0]! })).status).toBe(200);
  });

  it('end at ten live keys of a scope, and nothing is made of the eleventh set', async () => {
    const { person, accountId } = await site.signedIn();
    for (let i = 0; i < 10; i++) await site.oauth.get(ApiKeysService).create(accountId, { scope: 'worker', name: 'w' });
    const page = await site.confirm(person, '/account/keys', '/account/keys', { name: 'one more' });
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('10 live keys')]);
    expect(await site.keysOf(accountId)).toHaveLength(10);
  });
});

describe('spending limits', () => {
  const LIMITS = { per_payment: '25', per_day: '100', total: '1000' };
  /** What limits the next request with this key, be it remembered or not. */
  const limitsOf = async (secret: string): Promise<SpendLimits | null> => {
    const address = '127.0.0.1';
    const known = site.oauth.get(VerifiedKeys).recall(secret, address);
    const { spendPolicyId } = known ?? (await site.oauth.get(ApiKeyVerifier).verify(secret, address)).principal!;
    return spendPolicyId === undefined ? null : site.oauth.get(SpendPolicyReader).find(spendPolicyId);
  };

  /** What the form that lowers limits is filled in with. */
  const valuesOf = (page: HtmlPage) =>
    ['per_payment', 'per_day', 'total', 'counterparties'].map(
      (field) => page.form('/limits').fields.find(({ name }) => name === field)?.value,
    );

  it('stand in the message that the wallet signs, hold for the set, and are shown', async () => {
    const { person, accountId } = await site.signedIn();
    const asked = await site.send(person, '/account/keys', '/account/keys', { name: 'bot', ...LIMITS });
    expect(asked.message).toContain(
      'asking to pay at most 25.00 USDC per payment, 100.00 USDC a day (UTC) and 1000.00 USDC in total',
    );
    const secrets = secretsOn(shown(await person.answer(asked, await person.sign(asked.message))));
    expect(new Set((await site.keysOf(accountId)).map(({ spendPolicyId }) => spendPolicyId)).size).toBe(1);
    const me: any = await (await site.call('/v1/me', { 'X-Api-Key': secrets[0]! })).json();
    expect(me.credential.spend_policy).toEqual({
      per_payment: { amount: '25.00', currency: 'USDC' },
      per_day: {
        limit: { amount: '100.00', currency: 'USDC' },
        spent: { amount: '0.00', currency: 'USDC' },
        left: { amount: '100.00', currency: 'USDC' },
        refills_at: expect.stringMatching(/T00:00:00\.000Z$/),
      },
      total: expect.objectContaining({ left: { amount: '1000.00', currency: 'USDC' }, refills_at: null }),
    });
    expect((await site.open(person, '/account/keys')).text).toContain('0.00 asked for today, 100.00 left');
  });

  it('are lowered by one click, at once, and raised by nothing but a new key', async () => {
    const { person, accountId } = await site.signedIn();
    const made = await site.confirm(person, '/account/keys', '/create', { name: 'b', scope: 'buyer', per_day: '100' });
    const [secret] = secretsOn(made);
    const { id } = (await site.keysOf(accountId))[0]!;
    const lower = (values: FormValues) => site.send(person, '/account/keys', `/${id}/limits`, values);
    expect((await lower({ per_day: '40', per_payment: '10' })).text).toContain('The new limits hold from now on.');
    const lowered = { perPayment: 10_000_000n, perDay: 40_000_000n };
    expect(await limitsOf(secret!)).toMatchObject(lowered);
    for (const wider of [{ per_day: '41' }, { per_day: '' }, { per_payment: '' }] as FormValues[]) {
      const refused = await lower(wider);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Here limits are only lowered.')]);
      // What was typed stays, in the form that is open then.
      const typed = { per_payment: '10.00', per_day: '40.00', ...wider };
      expect(valuesOf(refused)).toEqual([typed.per_payment, typed.per_day, '', '']);
      expect(refused.html).toContain('<details open>\n<summary class="button">Lower its limits');
    }
    const refused = await lower({ per_day: 'much', per_payment: '7' });
    expect([refused.status, valuesOf(refused)]).toEqual([400, ['7', 'much', '', '']]);
    expect(await limitsOf(secret!)).toMatchObject(lowered);
    expect((await site.eventsOf(accountId)).filter((event) => event === 'spend_limits_lowered')).toHaveLength(1);
    const rolled = await site.confirm(person, '/account/keys', `/${id}/roll`, { overlap_hours: '24' });
    expect(await limitsOf(secretsOn(rolled)[0]!)).toMatchObject(lowered);
  });

  it('begin at once for a key that had none, and not for another account\u2019s', async () => {
    const { person, accountId } = await site.signedIn();
    const [secret] = secretsOn(await site.confirm(person, '/account/keys', '/create', { name: 'b', scope: 'worker' }));
    expect(await limitsOf(secret!)).toBeNull();
    const { id } = (await site.keysOf(accountId))[0]!;
    const stranger = await site.signedIn();
    await site.confirm(stranger.person, '/account/keys', '/create', { name: 'b', scope: 'worker' });
    const page = await site.open(stranger.person, '/account/keys');
    const form = page.form('/limits');
    const foreign = { ...form, action: new URL(form.action.href.replace(/key_[0-9a-z]+/, id)) };
    expect(shown(await stranger.person.submit(page, foreign, { total: '0' })).status).toBeGreaterThanOrEqual(400);
    expect(await limitsOf(secret!)).toBeNull();
    await site.send(person, '/account/keys', `/${id}/limits`, { total: '0' });
    expect(await limitsOf(secret!)).toMatchObject({ inTotal: 0n });
  });
});

describe('one key', () => {
  async function personWithKey() {
    const { person, accountId } = await site.signedIn();
    const made = await site.confirm(person, '/account/keys', '/create', { name: 'one', scope: 'read' });
    const { id } = (await site.keysOf(accountId))[0]!;
    return { person, accountId, id, secret: secretsOn(made)[0]! };
  }

  it('is rolled: the new one is shown once, the old one stops when it was told to', async () => {
    const { person, accountId, id, secret } = await personWithKey();
    const asked = await site.send(person, '/account/keys', `${id}/roll`, { overlap_hours: '0' });
    const signature = await person.sign(asked.message);
    const rolled = shown(await person.answer(asked, signature));
    const [next] = secretsOn(rolled);
    expect((await site.call('/v1/tasks', { 'X-Api-Key': next! })).status).toBe(200);
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secret })).status).toBe(401);
    const again = shown(await person.answer(asked, signature));
    expect([again.status, secretsOn(again)]).toEqual([409, []]);
    expect(await site.keysOf(accountId)).toHaveLength(2);
    expect(await site.eventsOf(accountId)).toContain('api_key_rolled');
  });

  it('is not rolled with an overlap beyond a week', async () => {
    const { person, id } = await personWithKey();
    const page = await site.send(person, '/account/keys', `${id}/roll`, { overlap_hours: '169' });
    expect([page.status, page.html]).toEqual([400, expect.stringContaining(`id="roll-${id}-overlap_hours-fault"`)]);
  });

  it('is revoked by one click, and stops at once', async () => {
    const { person, id, secret } = await personWithKey();
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secret })).status).toBe(200);
    const page = await site.send(person, '/account/keys', `${id}/revoke`);
    expect(page.text).toContain('The key is revoked.');
    // The process that revoked the key learns of it by notification like every other, before it would forget the key
    // anyway.
    await eventually(async () => (await site.call('/v1/tasks', { 'X-Api-Key': secret })).status === 401, 4_000);
  });

  it.each(['roll', 'revoke'])('of somebody else is not there to %s', async (deed) => {
    const { id, secret } = await personWithKey();
    const { person, accountId } = await site.signedIn();
    await site.oauth.get(ApiKeysService).create(accountId, { scope: 'read', name: 'mine' });
    const own = (await site.keysOf(accountId))[0]!.id;
    const page = await site.open(person, '/account/keys');
    const mine = page.form(`${own}/${deed}`);
    for (const other of [id, 'key_00000000000000000000000000']) {
      const foreign = { ...mine, action: new URL(mine.action.href.replace(own, other)) };
      const answer = shown(await person.submit(page, foreign));
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('no such API key')]);
    }
    expect(page.html).not.toContain(id);
    expect((await site.call('/v1/tasks', { 'X-Api-Key': secret })).status).toBe(200);
  });
});
