import * as oauth from 'oauth4webapi';
import { AttackFixture, CALLBACK } from './attack-fixture.js';

/** An honest service, and one whose operator is a thief. One application is connected with both. */
let honest: AttackFixture;
let thief: AttackFixture;

beforeAll(async () => {
  honest = await AttackFixture.start();
  thief = await AttackFixture.start();
});

afterAll(async () => {
  await honest?.close();
  await thief?.close();
});

/** What a strict client discovers about a service. */
async function discovered(fixture: AttackFixture): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(fixture.url);
  const options = { algorithm: 'oauth2', [oauth.allowInsecureRequests]: true } as const;
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
}

describe('an application that was sent from the thief to the honest service (mix-up)', () => {
  it('sees by iss that the answer is not of the service it asked, and sends its code nowhere', async () => {
    const { redirect, asked } = await honest.code();
    const client: oauth.Client = { client_id: honest.client.clientId };
    // The application began at the thief, who passed the person on to the honest service with the application's id
    // there.
    const believed = await discovered(thief);
    expect(() => oauth.validateAuthResponse(believed, client, redirect, asked.state)).toThrow(/iss/);
    const right = await discovered(honest);
    expect(oauth.validateAuthResponse(right, client, redirect, asked.state).get('code')).toMatch(/./);
  });

  it('sees it on a refusal as well', async () => {
    const asked = honest.client.authorization('read', { prompt: 'none' });
    const { location } = await honest.send(asked.url);
    const client: oauth.Client = { client_id: honest.client.clientId };
    const believed = await discovered(thief);
    expect(() => oauth.validateAuthResponse(believed, client, location ?? asked.url, asked.state)).toThrow(/iss/);
  });

  it('and sends its code to the thief all the same: without the verifier the thief gets nothing for it', async () => {
    const { asked, code } = await honest.code();
    const stolen = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      client_id: honest.client.clientId,
    };
    for (const code_verifier of ['v'.repeat(43), asked.url.searchParams.get('code_challenge') ?? '']) {
      const answer = await honest.unharmed(() => honest.form('/oauth/token', { ...stolen, code_verifier }));
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'invalid_grant']);
      expect(await honest.events(answer)).toEqual(['token_refused']);
    }
  });

  it('cannot be led by the documents: every endpoint in them is the issuer’s own', async () => {
    for (const fixture of [honest, thief]) {
      const document: Record<string, unknown> = { ...(await discovered(fixture)) };
      const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$|^issuer$/.test(name));
      expect(addresses.length).toBeGreaterThan(5);
      for (const [, value] of addresses) expect(String(value).startsWith(fixture.url)).toBe(true);
      expect(document['authorization_response_iss_parameter_supported']).toBe(true);
    }
  });
});

describe('tokens of the thief', () => {
  it('open nothing at the honest service, nor do its refresh tokens and codes', async () => {
    const { access_token: access, refresh_token: refresh } = await thief.tokens();
    const { code, asked } = await thief.code();
    expect(await honest.opens(access)).toBe(401);
    const { clientId } = honest.client;
    const answers = await honest.unharmed(async () => [
      await honest.form('/oauth/token', { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId }),
      await honest.form('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: CALLBACK,
        code_verifier: asked.verifier,
        client_id: clientId,
      }),
    ]);
    for (const answer of answers) {
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'invalid_grant']);
      expect(await honest.events(answer)).toEqual(['token_refused']);
    }
  });

  it('are not asked for in the name of the honest service: its resource is foreign there', async () => {
    const { url } = thief.client.authorization('read', { resource: honest.url });
    const { location } = await thief.unharmed(() => thief.send(url));
    expect(location?.searchParams.get('error')).toBe('invalid_target');
  });
});
