import { type Answer, answerOf, AttackFixture, expectPage } from './attack-fixture.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import { type Person, proofForm, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

let fixture: AttackFixture;

beforeAll(async () => {
  // Wrong signatures are also checked on the chain, because the wallet could be a contract.
  fixture = await AttackFixture.start({ chain: true });
});

afterAll(() => fixture?.close());

/** A person who has been shown the message to sign. */
async function asked(person = fixture.person()): Promise<{ person: Person; page: HtmlPage }> {
  const start = shown(await person.open(fixture.client.authorization('read').url));
  return { person, page: await person.challenge(start) };
}

const challengeOf = (page: HtmlPage) => proofForm(page).fields.find(({ name }) => name === 'challenge_id')?.value ?? '';

/** Submits the form with the signature, with other members replaced or repeated, without following redirects. */
async function answer(
  { person, page }: { person: Person; page: HtmlPage },
  signature: string,
  own: Readonly<Record<string, string | string[]>> = {},
): Promise<Answer> {
  const form = proofForm(page);
  const body = new URLSearchParams();
  for (const { name, value } of form.fields) if (!(name in own) && name !== 'signature') body.append(name, value);
  for (const [name, values] of Object.entries({ signature, ...own }))
    for (const each of [values].flat()) body.append(name, each);
  const response = await person.request(form.action, { method: 'POST', body, headers: { Origin: fixture.url } });
  return answerOf(form.action, response);
}

/** Expects that nobody is signed in, that the page gives no reason, and that the audit event gives this one. */
async function expectRefused(person: Person, refused: Answer, reason: string): Promise<void> {
  expectPage(refused, 400);
  expect(refused.text).toContain('The signature was not accepted.');
  expect(refused.text).not.toContain(reason);
  expect(person.jar.all.map(([name]) => name)).not.toContain('tasktree_session');
  expect(await fixture.audit(refused)).toEqual([
    expect.objectContaining({
      event: 'session_refused',
      account_id: null,
      detail: expect.objectContaining({ reason }),
    }),
  ]);
}

describe('a forged message', () => {
  it.each<[string, (message: string) => string]>([
    ['a foreign domain', (message) => message.replace(/^\S+ wants/, 'evil.example wants')],
    ['a foreign address to open (URI)', (message) => message.replace(/URI: .*/, 'URI: https://evil.example/')],
    ['another chain', (message) => message.replace(/Chain ID: .*/, 'Chain ID: 1')],
    ['another nonce', (message) => message.replace(/Nonce: .*/, `Nonce: ${'0'.repeat(32)}`)],
    ['a later end', (message) => message.replace(/Expiration Time: .*/, 'Expiration Time: 2100-01-01T00:00:00.000Z')],
    ['no end', (message) => message.replace(/Expiration Time: .*\n/, '')],
    ['another time', (message) => message.replace(/Issued At: .*/, 'Issued At: 2020-01-01T00:00:00.000Z')],
    ['another interaction', (message) => message.replace(/Request ID: .*/, 'Request ID: another')],
    ['another statement', (message) => message.replace(/Sign in to .*/, 'Send all my money.')],
    ['another version', (message) => message.replace('Version: 1', 'Version: 2')],
    ['something added', (message) => `${message}\nResources:\n- https://evil.example`],
    ['other line ends', (message) => message.replaceAll('\n', '\r\n')],
    ['nothing in it', () => ''],
  ])('with %s signs nobody in, although the right wallet has signed it', async (_, forge) => {
    const at = await asked();
    const forged = forge(at.page.message);
    expect(forged).not.toBe(at.page.message);
    const signature = await at.person.sign(forged);
    const refused = await fixture.unharmed(() => answer(at, signature, { message: forged }));
    await expectRefused(at.person, refused, 'wrong_signature');
  });

  it('cannot be sent beside the signature: what the form adds is not read', async () => {
    const victim = randomWallet().address;
    const at = await asked();
    const own = {
      message: at.page.message.replace(at.person.wallet.address, victim),
      address: victim,
      account_id: 'x',
    };
    const done = await answer(at, await at.person.sign(at.page.message), own);
    expect(done.status).toBe(303);
    const accounts = await fixture.app.rows('SELECT 1 FROM accounts WHERE wallet_address = $1', [victim]);
    expect(accounts).toEqual([]);
  });
});

describe('a signature', () => {
  it('of another wallet (wrong address) signs nobody in', async () => {
    const at = await asked();
    const signature = await randomWallet().signMessage(at.page.message);
    await expectRefused(at.person, await fixture.unharmed(() => answer(at, signature)), 'wrong_signature');
  });

  it.each([
    ['nothing', '', 'malformed_signature'],
    ['text', 'signed by me', 'malformed_signature'],
    ['SQL', "0x' OR 1=1 --", 'malformed_signature'],
    ['zeros', `0x${'00'.repeat(65)}`, 'wrong_signature'],
    ['the empty bytes', '0x', 'wrong_signature'],
    ['twenty thousand letters', `0x${'ab'.repeat(9_000)}`, 'wrong_signature'],
  ])('that is %s signs nobody in', async (_, signature, reason) => {
    const at = await asked();
    await expectRefused(at.person, await fixture.unharmed(() => answer(at, signature)), reason);
  });

  it('given twice, or for two challenges, is none', async () => {
    const at = await asked();
    const signature = await at.person.sign(at.page.message);
    const twice = await fixture.unharmed(() => answer(at, signature, { signature: [signature, '0x'] }));
    await expectRefused(at.person, twice, 'malformed_signature');
    const challenges = [challengeOf(at.page), 'chal_00000000000000000000000000'];
    const two = await fixture.unharmed(() => answer(at, signature, { challenge_id: challenges }));
    await expectRefused(at.person, two, 'unknown_challenge');
  });
});

describe('a replayed nonce', () => {
  it('used twice on the same page starts one session', async () => {
    const at = await asked();
    const signature = await at.person.sign(at.page.message);
    const thief = { person: fixture.person(), page: at.page };
    for (const [name, value] of at.person.jar.all) thief.person.jar.take(at.page.url, cookie(name, value));
    const page = { person: at.person, page: at.page };
    expect((await answer(page, signature)).status).toBe(303);
    const refused = await fixture.unharmed(() => answer(thief, signature));
    await expectRefused(thief.person, refused, 'already_used');
  });

  it('of an earlier message of the same page is worth nothing for the later one', async () => {
    const at = await asked();
    const earlier = await at.person.sign(at.page.message);
    const later = { person: at.person, page: await at.person.challenge(at.page) };
    expect(challengeOf(later.page)).not.toBe(challengeOf(at.page));
    await expectRefused(at.person, await fixture.unharmed(() => answer(later, earlier)), 'wrong_signature');
  });

  it('of another interaction of the same browser is worth nothing', async () => {
    const first = await asked();
    const signature = await first.person.sign(first.page.message);
    const second = await asked(first.person);
    const own = { challenge_id: challengeOf(first.page) };
    await expectRefused(first.person, await fixture.unharmed(() => answer(second, signature, own)), 'other_request');
  });

  it('of another browser is worth nothing: a signature that was copied signs nobody else in', async () => {
    const victim = await asked();
    const signature = await victim.person.sign(victim.page.message);
    const thief = await asked();
    const own = { challenge_id: challengeOf(victim.page) };
    await expectRefused(thief.person, await fixture.unharmed(() => answer(thief, signature, own)), 'other_browser');
    expect((await answer(victim, signature)).status).toBe(303);
  });

  it('of the account page is worth nothing for an application', async () => {
    const { person, page } = await asked();
    const account = await person.challenge(shown(await person.open('/account/sign-in')));
    const signature = await person.sign(account.message);
    const refused = await fixture.unharmed(() =>
      answer({ person, page }, signature, { challenge_id: challengeOf(account) }),
    );
    await expectRefused(person, refused, 'other_request');
  });

  it('that has expired is worth nothing', async () => {
    const at = await asked();
    const signature = await at.person.sign(at.page.message);
    await fixture.app.rows("UPDATE wallet_challenges SET expires_at = now() - interval '1 s' WHERE id = $1", [
      challengeOf(at.page),
    ]);
    await expectRefused(at.person, await fixture.unharmed(() => answer(at, signature)), 'expired');
  });

  it('that was guessed is worth nothing', async () => {
    const at = await asked();
    const signature = await at.person.sign(at.page.message);
    for (const id of ['chal_00000000000000000000000000', "' OR 1=1 --", '', 'x'.repeat(5_000)]) {
      const refused = await fixture.unharmed(() => answer(at, signature, { challenge_id: id }));
      await expectRefused(at.person, refused, 'unknown_challenge');
    }
  });
});

describe('the session', () => {
  it('is a new one after every sign-in: who planted a cookie before does not share it', async () => {
    const planted = 'A'.repeat(43);
    const { person, page } = await asked();
    person.jar.take(page.url, cookie('tasktree_session', planted));
    shown(await person.answer(page, await person.sign(page.message)));
    const value = person.jar.all.find(([name]) => name === 'tasktree_session')?.[1];
    expect(value).toMatch(/^[\w-]{43,}$/);
    expect(value).not.toBe(planted);
    const thief = await fixture.send('/account', { headers: { Cookie: `tasktree_session=${planted}` } });
    expect([thief.status, thief.location?.pathname]).toEqual([303, '/account/sign-in']);
  });

  it('cannot be read or set by a script, and does not come along from a foreign form', async () => {
    const at = await asked();
    const form = proofForm(at.page);
    const body = new URLSearchParams(form.fields.map(({ name, value }): [string, string] => [name, value]));
    body.set('signature', await at.person.sign(at.page.message));
    const headers = { Origin: fixture.url };
    const response = await at.person.request(form.action, { method: 'POST', body, headers });
    const [session] = response.headers.getSetCookie().filter((line) => line.startsWith('tasktree_session='));
    expect(session?.toLowerCase()).toMatch(/httponly/);
    expect(session?.toLowerCase()).toMatch(/samesite=lax/);
  });
});

it('nonces cannot be farmed: messages of one network end in 429, with no more rows than the quota', async () => {
  const narrow = await AttackFixture.start({ environment: { rateLimitSignIn: 3, rateLimitSignInTotal: 4 } });
  try {
    const person = narrow.person();
    const page = shown(await person.open(narrow.client.authorization('read').url));
    const answers: { status: number; headers: Headers }[] = [];
    for (let i = 0; i < 6; i += 1) {
      const arrived = await person.submit(
        page,
        page.form('/challenge'),
        { address: person.wallet.address },
        {
          'X-Forwarded-For': `203.0.113.${i}`,
        },
      );
      answers.push(shown(arrived));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
    const [last] = answers.slice(-1);
    expect(Number(last?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(last === undefined ? [] : await narrow.events(last)).toEqual(['session_refused']);
    expect(await narrow.app.rows('SELECT 1 FROM wallet_challenges')).toHaveLength(3);
  } finally {
    await narrow.close();
  }
});

/** Response headers that set one cookie for the whole site. */
function cookie(name: string, value: string): Headers {
  return new Headers({ 'Set-Cookie': `${name}=${value}; Path=/` });
}
