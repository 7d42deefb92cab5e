import { credsAuthenticator, nkeys, tokenAuthenticator, usernamePasswordAuthenticator } from '@nats-io/transport-node';
import { type BusSettings, optionsOf } from './nats-connection.js';

const authenticators = { credsAuthenticator, tokenAuthenticator, usernamePasswordAuthenticator };
const NOTHING: BusSettings = { eventsNatsUrl: null, eventsNatsCredentials: null, eventsNatsToken: null };

function of(settings: Partial<BusSettings>) {
  const { authenticator, ...options } = optionsOf({ ...NOTHING, ...settings }, authenticators);
  if (Array.isArray(authenticator)) throw new Error('One way to sign in was expected');
  return { ...options, auth: authenticator?.('a nonce') };
}

/** The text of a .creds file with a new seed. */
function credentials(): string {
  const seed = Buffer.from(nkeys.createUser().getSeed()).toString();
  const part = (name: string, value: string): string => `-----BEGIN ${name}-----\n${value}\n------END ${name}------\n`;
  return `${part('NATS USER JWT', 'a.b.c')}\n${part('USER NKEY SEED', seed)}`;
}

describe('the options of the connection to the bus', () => {
  it('are the hosts of the URLs, in clear text', () => {
    const options = of({ eventsNatsUrl: 'nats://bus.example:4222,nats://bus-2.example' });
    expect(options).toMatchObject({
      servers: ['bus.example:4222', 'bus-2.example'],
      reconnect: false,
      auth: undefined,
    });
    expect(options).not.toHaveProperty('tls');
  });

  it('demand TLS for tls://', () => {
    expect(of({ eventsNatsUrl: 'tls://bus.example:4222' })).toMatchObject({ servers: ['bus.example:4222'], tls: {} });
  });

  it('sign in with the user of a URL, whose signs may be escaped', () => {
    const { auth, servers } = of({ eventsNatsUrl: 'nats://the%20service:p%40ss%2Fword@bus.example:4222' });
    expect(servers).toEqual(['bus.example:4222']);
    expect(auth).toEqual({ user: 'the service', pass: 'p@ss/word' });
  });

  it('sign in with the token before the user, and with the credentials before both', () => {
    const withToken = { eventsNatsUrl: 'nats://user:word@bus.example', eventsNatsToken: 'a token' };
    expect(of(withToken).auth).toEqual({ auth_token: 'a token' });
    expect(of({ ...withToken, eventsNatsCredentials: credentials() }).auth).toEqual({
      jwt: 'a.b.c',
      nkey: expect.any(String),
      sig: expect.any(String),
    });
  });
});
