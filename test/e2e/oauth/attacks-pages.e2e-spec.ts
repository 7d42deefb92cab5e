import * as oauth from 'oauth4webapi';
import { AuditReader } from './audit-reader.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { type Person, shown } from '../../support/oauth/person.js';

/**
 * The attacks of docs/decisions/oauth.md#attacks that go through the pages; those on requests and codes are integration
 * specs.
 */
const REDIRECT = 'http://127.0.0.1:7777/callback';

let service: OAuthService;
let audit: AuditReader;
let client: PlainClient;
let person: Person;

beforeAll(async () => {
  [service, audit] = await Promise.all([OAuthService.start(), AuditReader.open()]);
  client = await PlainClient.register(service.baseUrl, REDIRECT);
  person = service.person();
  await person.signInToAccount();
});

afterAll(async () => {
  await audit?.close();
  await service?.stop();
});

describe('an interaction', () => {
  it('is nobody else’s: its address in another browser shows nothing and does nothing', async () => {
    const page = await person.consentPage(client.authorization('read').url);
    const thief = service.person();
    await thief.signInToAccount();
    const seen = shown(await thief.open(page.url));
    expect([seen.status, seen.has('/consent')]).toEqual([404, false]);
    const form = page.form('/consent');
    const sent = shown(await thief.submit(page, form, { scope: 'read' }));
    expect(sent.status).toBeGreaterThanOrEqual(400);
    expect(await audit.of(sent.headers)).toContain('consent_refused');
    expect(await audit.holdings(client.clientId)).toBe(0);
  });

  it.each([
    ['a foreign origin', { Origin: 'https://evil.example' }],
    ['the origin null', { Origin: 'null' }],
    ['our origin with another port', { Origin: 'http://127.0.0.1:1' }],
  ])('takes no decision from %s', async (_name, headers) => {
    const page = await person.consentPage(client.authorization('read').url);
    const sent = shown(await person.submit(page, page.form('/consent'), { scope: 'read' }, headers));
    expect(sent.status).toBe(400);
    expect(await audit.of(sent.headers)).toContain('consent_refused');
    expect(await audit.holdings(client.clientId)).toBe(0);
  });

  it('takes no decision with the token of another page, a token of another interaction, or none', async () => {
    const [one, two] = [client.authorization('read'), client.authorization('read')];
    const first = await person.consentPage(one.url);
    const other = await person.consentPage(two.url);
    const tokenOf = (page: typeof first, ending: string): string =>
      page.form(ending).fields.find(({ name }) => name === 'form_token')!.value;
    for (const token of [tokenOf(first, '/cancel'), tokenOf(other, '/consent'), '', null]) {
      const sent = shown(await person.submit(first, first.form('/consent'), { form_token: token, scope: 'read' }));
      expect([token === null, sent.status]).toEqual([token === null, 400]);
      expect(await audit.of(sent.headers)).toContain('consent_refused');
    }
    expect(await audit.holdings(client.clientId)).toBe(0);
  });

  it('gives no scope that was not asked for', async () => {
    const page = await person.consentPage(client.authorization('read').url);
    const sent = shown(await person.submit(page, page.form('/consent'), { scope: ['read', 'buyer'] }));
    expect(sent.status).toBe(400);
    expect(await audit.of(sent.headers)).toContain('consent_refused');
    expect(await audit.holdings(client.clientId)).toBe(0);
  });

  it('shown to one account takes no decision of another', async () => {
    const own = service.person();
    const page = await own.consentPage(client.authorization('read').url);
    // Another wallet signs in, in another tab of the same browser.
    const tab = service.person(undefined, own.jar);
    await tab.submit(page, shown(await tab.open('/account')).form('/sign-out'));
    await tab.signInToAccount();
    const sent = shown(await own.submit(page, page.form('/consent'), { scope: 'read' }));
    expect(sent.status).toBeGreaterThanOrEqual(400);
    expect(await audit.holdings(client.clientId)).toBe(0);
  });
});

it('mix-up: a client that began at another server does not take our answer, nor one without issuer', async () => {
  const own = await PlainClient.register(service.baseUrl, REDIRECT);
  const asked = own.authorization('read');
  const redirect = await person.authorize(asked.url);
  const as = { issuer: 'https://other.example', authorization_response_iss_parameter_supported: true };
  const me = { client_id: own.clientId };
  expect(() => oauth.validateAuthResponse(as, me, redirect, asked.state)).toThrow(/iss/);
  redirect.searchParams.delete('iss');
  const ours = { ...as, issuer: service.baseUrl };
  expect(() => oauth.validateAuthResponse(ours, me, redirect, asked.state)).toThrow(/iss/);
});

describe('a message that was not ours to sign', () => {
  const altered: [string, (message: string) => string][] = [
    ['of a foreign domain', (message) => message.replace(/^\S+/, 'evil.example')],
    ['for a foreign address of the page', (message) => message.replace(/URI: \S+/, 'URI: https://evil.example')],
    ['of another chain', (message) => message.replace(/Chain ID: \d+/, 'Chain ID: 1')],
    ['with another nonce', (message) => message.replace(/Nonce: \S+/, `Nonce: ${'a'.repeat(32)}`)],
    ['that lives longer', (message) => message.replace(/Expiration Time: \d{4}/, 'Expiration Time: 2999')],
    ['of another interaction', (message) => message.replace(/Request ID: \S+/, 'Request ID: other')],
    ['that says something else', (message) => message.replace('does not move funds', 'moves funds')],
    ['with a space more', (message) => `${message} `],
  ];

  it.each(altered)('%s signs nobody in', async (_name, alter) => {
    const visitor = service.person();
    const page = shown(await visitor.open(client.authorization('read').url));
    const asked = await visitor.challenge(page);
    const forged = alter(asked.message);
    expect(forged).not.toBe(asked.message);
    const answer = shown(await visitor.answer(asked, await visitor.sign(forged)));
    expect([answer.status, answer.has('/consent')]).toEqual([400, false]);
    expect(await audit.of(answer.headers)).toContain('session_refused');
    expect(visitor.jar.all.map(([name]) => name)).not.toContain('tasktree_session');
  });

  it('signed by another wallet signs nobody in', async () => {
    const [visitor, other] = [service.person(), service.person()];
    const asked = await visitor.challenge(shown(await visitor.open(client.authorization('read').url)));
    const answer = shown(await visitor.answer(asked, await other.sign(asked.message)));
    expect([answer.status, answer.has('/consent')]).toEqual([400, false]);
    expect(await audit.of(answer.headers)).toContain('session_refused');
  });

  it('a nonce works once, and an older one of the same page not for a newer', async () => {
    const visitor = service.person();
    const page = shown(await visitor.open(client.authorization('read').url));
    const [first, second] = [await visitor.challenge(page), await visitor.challenge(page)];
    const old = shown(await visitor.answer(second, await visitor.sign(first.message)));
    expect([old.status, old.has('/consent')]).toEqual([400, false]);
    const signature = await visitor.sign(second.message);
    expect(shown(await visitor.answer(second, signature)).has('/consent')).toBe(true);
    const again = await visitor.answer(second, signature);
    expect(again.page?.has('/challenge') ?? false).toBe(false);
    // The sign-in page has ended; signing in needs a new request.
    expect(again.page?.status ?? 0).toBeGreaterThanOrEqual(400);
  });

  it('taken to another interaction or another browser signs nobody in there', async () => {
    const [victim, thief] = [service.person(), service.person()];
    const asked = await victim.challenge(shown(await victim.open(client.authorization('read').url)));
    const page = shown(await thief.open(client.authorization('read').url));
    const own = await thief.challenge(page, victim.wallet.address);
    const id = asked.forms.flatMap(({ fields }) => fields).find(({ name, value }) => name === 'challenge_id' && value)!;
    const answer = shown(await thief.answer(own, await victim.sign(asked.message), { challenge_id: id.value }));
    expect([answer.status, answer.has('/consent')]).toEqual([400, false]);
    expect(await audit.of(answer.headers)).toContain('session_refused');
  });
});
