import { type Answer, AttackFixture, CALLBACK, expectPage, refusal, toldClient } from './attack-fixture.js';

let fixture: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
});

afterAll(() => fixture?.close());

type Parameters = Readonly<Record<string, string | null>>;

/** Sends an authorization request; `more` is appended to it unchanged. */
async function ask(own: Parameters = {}, more = ''): Promise<Answer> {
  const { url } = fixture.client.authorization('read', own);
  return fixture.send(`${url.href}${more}`, { headers: { Accept: 'text/html' } });
}

/** Expects a redirect to the application with this error, an audit event, and no other effect. */
async function expectToldClient(answer: Answer, error: string): Promise<URLSearchParams> {
  expect(answer.status).toBe(303);
  const told = toldClient(answer);
  expect([told?.get('error'), told?.get('iss'), told?.has('code')]).toEqual([error, fixture.url, false]);
  expect(await fixture.audit(answer)).toEqual([
    expect.objectContaining({
      event: 'authorization_refused',
      client_id: fixture.client.clientId,
      detail: expect.objectContaining({ error }),
    }),
  ]);
  return told ?? new URLSearchParams();
}

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('PKCE', () => {
  it.each<[string, Parameters]>([
    ['is missing', { code_challenge: null, code_challenge_method: null }],
    ['is plain', { code_challenge_method: 'plain' }],
    ['has a challenge without a method, which means plain', { code_challenge_method: null }],
    ['has a method without a challenge', { code_challenge: null }],
    ['has an empty challenge', { code_challenge: '' }],
    ['is of another method', { code_challenge_method: 'S512' }],
    ['is of the method in another case', { code_challenge_method: 's256' }],
    ['has a short challenge', { code_challenge: CHALLENGE.slice(1) }],
    ['has a long challenge', { code_challenge: 'a'.repeat(129) }],
    ['has a challenge in other letters', { code_challenge: `${CHALLENGE.slice(0, -1)}=` }],
  ])('that %s is refused before anybody is asked', async (_, own) => {
    await expectToldClient(await fixture.unharmed(() => ask(own)), 'invalid_request');
  });

  it.each<[string, Parameters]>([
    ['missing', { code_challenge: null, code_challenge_method: null }],
    ['plain', { code_challenge_method: 'plain' }],
    ['short', { code_challenge: 'short' }],
  ])('that is %s is refused in a pushed request as well', async (_, own) => {
    const { url } = fixture.client.authorization('read', own);
    const answer = await fixture.unharmed(() => fixture.form('/oauth/par', url.search.slice(1)));
    expect(refusal(answer)).toEqual([400, 'invalid_request']);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });
});

describe('a response that would put something else than a code into the address', () => {
  it.each(['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'code id_token token', 'none'])(
    'response_type=%s is refused',
    async (type) => {
      const answer = await fixture.unharmed(() => ask({ response_type: type, nonce: 'n' }));
      await expectToldClient(answer, 'unsupported_response_type');
      expect(answer.location?.href).not.toMatch(/access_token|id_token=/);
    },
  );

  it('no response_type at all is refused', async () => {
    await expectToldClient(await fixture.unharmed(() => ask({ response_type: null })), 'invalid_request');
  });

  it.each(['web_message', 'jwt', 'query.jwt', 'nonsense'])('response_mode=%s is refused', async (mode) => {
    const answer = await fixture.unharmed(() => ask({ response_mode: mode }));
    await expectToldClient(answer, 'unsupported_response_mode');
  });

  it('response_mode=form_post to an address that is not registered posts nothing there', async () => {
    const answer = await fixture.unharmed(() =>
      ask({ response_mode: 'form_post', redirect_uri: 'https://evil.example/cb', response_type: 'token' }),
    );
    expectPage(answer, 400);
    expect(answer.text).not.toContain('<form');
    // The audit record must name the wrong address, besides the other fault.
    expect((await fixture.audit(answer)).map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([expect.objectContaining({ error: 'invalid_redirect_uri' })]),
    );
  });

  it('response_mode=form_post to the registered address carries state as text, never as markup', async () => {
    const state = '"><script>evil()</script>';
    const answer = await fixture.unharmed(() => ask({ response_mode: 'form_post', prompt: 'none', state }));
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('X-Frame-Options') ?? answer.headers.get('Content-Security-Policy')).not.toBeNull();
    expect(answer.text).toContain(`action="${CALLBACK}"`);
    expect(answer.text).not.toContain('<script>evil');
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });
});

describe('state and issuer', () => {
  it('come back once each with an error', async () => {
    const told = await expectToldClient(await ask({ prompt: 'none', state: 'a&state=b#c' }), 'login_required');
    expect(told.getAll('state')).toEqual(['a&state=b#c']);
    expect(told.getAll('iss')).toEqual([fixture.url]);
  });

  it('come back once each with a code, beside nothing else', async () => {
    const { redirect, asked } = await fixture.code('read', {});
    expect([...redirect.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect([redirect.searchParams.get('state'), redirect.searchParams.get('iss')]).toEqual([asked.state, fixture.url]);
  });

  it('come back once each when the person cancels', async () => {
    const person = fixture.person();
    const { url, state } = fixture.client.authorization('read');
    const { redirect } = await person.cancel(await person.consentPage(url));
    expect(redirect?.searchParams.getAll('state')).toEqual([state]);
    expect(redirect?.searchParams.getAll('iss')).toEqual([fixture.url]);
    expect(redirect?.searchParams.getAll('error')).toEqual(['access_denied']);
  });

  it('cannot be used to write headers or markup', async () => {
    const state = '"><script>x</script>\r\nSet-Cookie: evil=1\r\n\r\n<html>';
    const answer = await ask({ prompt: 'none', state });
    const told = await expectToldClient(answer, 'login_required');
    expect(told.get('state')).toBe(state);
    expect(answer.headers.getSetCookie().join()).not.toContain('evil');
    expect(answer.text).not.toContain('<script>');
  });
});

describe('a parameter that is given twice', () => {
  it.each([
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'response_mode',
    'nonce',
    'max_age',
  ])('%s goes nowhere else and asks nobody', async (name) => {
    const own = { prompt: 'login', response_mode: 'query', nonce: 'n', max_age: '1' };
    const answer = await fixture.unharmed(() => ask(own, `&${name}=other`));
    if (answer.location === null) expectPage(answer, 400);
    else expect([answer.status, toldClient(answer)?.get('error')]).toEqual([303, 'invalid_request']);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });

  it.each([
    ['client_id', 'evil'],
    ['redirect_uri', 'https://evil.example/cb'],
  ])('%s cannot turn the answer: it stays on a page', async (name, value) => {
    for (const own of [{}, { [name]: null }]) {
      const repeated = `&${name}=${encodeURIComponent(value)}`;
      const answer = await fixture.unharmed(() => ask(own, `${repeated}${repeated}`));
      expectPage(answer, 400);
      expect(await fixture.events(answer)).toEqual(['authorization_refused']);
    }
  });

  it('as a list or an object is no parameter', async () => {
    const answer = await fixture.unharmed(() =>
      ask({ redirect_uri: null }, `&redirect_uri[]=${CALLBACK}&redirect_uri[href]=${CALLBACK}`),
    );
    expectPage(answer, 400);
  });
});

describe('the resource', () => {
  it.each([
    ['of somebody else', () => 'https://evil.example'],
    ['that begins like ours', () => `${fixture.url}.evil.example`],
    ['with our name as its user', () => `http://${new URL(fixture.url).host}@evil.example`],
    ['below ours', () => `${fixture.url}/v2`],
    ['with a query', () => `${fixture.url}?x=1`],
    ['with a fragment', () => `${fixture.url}#x`],
    ['without a scheme', () => new URL(fixture.url).host],
    ['of another port', () => 'http://127.0.0.1:1'],
    ['that is no URL', () => 'tasktree'],
  ])('%s is no target', async (_, resource) => {
    await expectToldClient(await fixture.unharmed(() => ask({ resource: resource() })), 'invalid_target');
  });

  it('named twice: ours beside a foreign one is no target', async () => {
    const answer = await fixture.unharmed(() => ask({}, `&resource=${encodeURIComponent('https://evil.example')}`));
    await expectToldClient(answer, 'invalid_target');
  });

  it('named twice, both ours, gives tokens for this service alone', async () => {
    const person = fixture.person();
    const asked = fixture.client.authorization('read');
    asked.url.searchParams.append('resource', `${fixture.url}/v1`);
    const arrived = await person.open(asked.url);
    if (arrived.redirect !== null) return expect(arrived.redirect.searchParams.get('error')).toBe('invalid_target');
    const redirect = await person.authorize(asked.url);
    const { body } = await fixture.client.redeem(redirect, asked);
    const [row] = await fixture.app.rows<{ aud: unknown }>(
      `SELECT payload->'aud' AS aud FROM oauth_records WHERE kind = 'AccessToken' ORDER BY created_at DESC LIMIT 1`,
    );
    expect([await fixture.opens(body.access_token), row?.aud]).toEqual([200, fixture.url]);
  });
});

describe('a request by reference or by value', () => {
  it.each(['https://169.254.169.254/latest', 'https://evil.example/request.jwt', 'http://127.0.0.1:1/', 'urn:x'])(
    'request_uri=%s is not fetched',
    async (reference) => {
      const answer = await fixture.unharmed(() => ask({ request_uri: reference }));
      expect(toldClient(answer)?.get('code') ?? null).toBeNull();
      if (answer.location === null) expectPage(answer, 400);
      else expect(toldClient(answer)?.get('error')).toMatch(/^(request_uri_not_supported|invalid_request_uri)$/);
      expect(await fixture.events(answer)).toEqual(['authorization_refused']);
    },
  );

  it('an unsigned request object is not read', async () => {
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const inside = { client_id: fixture.client.clientId, redirect_uri: 'https://evil.example/cb', scope: 'worker' };
    const answer = await fixture.unharmed(() => ask({ request: `${encoded({ alg: 'none' })}.${encoded(inside)}.` }));
    await expectToldClient(answer, 'request_not_supported');
  });
});

describe('a pushed request', () => {
  const push = (own: Parameters = {}, more = '') => {
    const { url } = fixture.client.authorization('read', own);
    return fixture.form('/oauth/par', `${url.search.slice(1)}${more}`);
  };
  const referenceOf = ({ text }: Answer): string => JSON.parse(text).request_uri;
  const use = (own: Record<string, string>) =>
    fixture.send(`/oauth/authorize?${new URLSearchParams(own).toString()}`, { headers: { Accept: 'text/html' } });

  it('is used once: its second use is refused on a page, and recorded', async () => {
    const reference = { client_id: fixture.client.clientId, request_uri: referenceOf(await push()) };
    const person = fixture.person();
    await person.authorize(`${fixture.url}/oauth/authorize?${new URLSearchParams(reference).toString()}`);
    const again = await fixture.unharmed(() => use(reference));
    expectPage(again, 400);
    expect(await fixture.events(again)).toEqual(['authorization_refused']);
  });

  it('of another application cannot be used', async () => {
    const { clientId } = await fixture.register();
    const answer = await fixture.unharmed(async () =>
      use({ client_id: clientId, request_uri: referenceOf(await push()) }),
    );
    expectPage(answer, 400);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });

  it('that has expired cannot be used', async () => {
    const reference = referenceOf(await push());
    await fixture.app.rows(
      `UPDATE oauth_records SET expires_at = now() - interval '1 s',
         payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 1)
       WHERE kind = 'PushedAuthorizationRequest'`,
    );
    const answer = await fixture.unharmed(() => use({ client_id: fixture.client.clientId, request_uri: reference }));
    expectPage(answer, 400);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });

  it('cannot be changed by what stands beside its reference', async () => {
    const reference = referenceOf(await push({ scope: 'read' }));
    const person = fixture.person();
    const own = {
      client_id: fixture.client.clientId,
      request_uri: reference,
      scope: 'worker agent-owner',
      redirect_uri: 'https://evil.example/cb',
    };
    const arrived = await person.open(`${fixture.url}/oauth/authorize?${new URLSearchParams(own).toString()}`);
    expect(arrived.redirect).toBeNull();
    if (arrived.page?.status === 200) {
      const consent = await person.signIn(arrived.page);
      const asked = consent.page?.form('/consent').fields.filter(({ name }) => name === 'scope');
      expect(asked?.map(({ value }) => value)).toEqual(['read']);
      expect(consent.page?.html).not.toContain('evil');
    } else expect(arrived.page?.status).toBe(400);
  });

  it.each<[string, Parameters, string, string]>([
    [
      'names another pushed request',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      '',
      'request_uri_not_supported',
    ],
    ['redirects to a foreign address', { redirect_uri: 'https://evil.example/cb' }, '', 'invalid_redirect_uri'],
    ['names a foreign resource', { resource: 'https://evil.example' }, '', 'invalid_target'],
    ['says a thing twice', {}, '&scope=worker', 'invalid_request'],
    ['is of nobody', { client_id: 'nobody' }, '', 'invalid_client'],
  ])('that %s is refused', async (_, own, more, error) => {
    const answer = await fixture.unharmed(() => push(own, more));
    expect([400, 401]).toContain(answer.status);
    // RFC 9126 allows either name for the error of a bad redirect.
    const [, named] = refusal(answer);
    expect([error, 'invalid_request']).toContain(named);
    expect(answer.text).not.toContain('evil');
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });
});

describe('asking for more than there is', () => {
  it('scopes that there are not are not asked for, nor in the token', async () => {
    const { asked, redirect } = await fixture.code('read admin openid:all write *');
    const { body } = await fixture.client.redeem(redirect, asked);
    expect(body.scope).toBe('read');
  });

  it('an application that registered for one scope is not asked for another', async () => {
    const answer = await fixture.form('/oauth/register', {}, {});
    expect(answer.status).toBe(400);
    const registered = await fixture.send('/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Small', redirect_uris: [CALLBACK], scope: 'read' }),
    });
    const { client_id: clientId } = JSON.parse(registered.text);
    const wide = await fixture.unharmed(() => ask({ client_id: clientId, scope: 'read worker' }));
    expect([wide.status, toldClient(wide)?.get('error')]).toEqual([303, 'invalid_scope']);
    expect(await fixture.events(wide)).toEqual(['authorization_refused']);
  });

  it('an application that nobody knows is shown a page, wherever it wants to send people', async () => {
    const answer = await fixture.unharmed(() => ask({ client_id: 'evil', redirect_uri: 'https://evil.example/cb' }));
    expectPage(answer, 400);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });
});
