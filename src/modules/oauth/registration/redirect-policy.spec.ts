import { Environment } from '../../../platform/config/environment.js';
import { applicationTypeOf, redirectFault, RedirectPolicy } from './redirect-policy.js';
import { isSameLoopback, readRedirectUri } from './redirect-uri.js';

const policy = new RedirectPolicy(
  Object.assign(new Environment(), { oauthRedirectHosts: ['claude.ai', 'good.example'] }),
);

describe('a redirect URI', () => {
  it.each([
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai', false],
    ['https://client.example:8443/cb?tenant=1', 'client.example', false],
    ['https://client.example', 'client.example', false],
    ['http://localhost/callback', 'localhost', true],
    ['http://127.0.0.1:49152/cb', '127.0.0.1', true],
    ['http://[::1]:9/cb', '[::1]', true],
  ])('%s is understood', (uri, host, isLoopback) => {
    expect(readRedirectUri(uri)).toEqual({ host, isLoopback });
  });

  it.each([
    ['http to another machine', 'http://client.example/cb'],
    ['http to a name that begins like loopback', 'http://localhost.evil.example/cb'],
    ['http to all interfaces', 'http://0.0.0.0/cb'],
    ['http to loopback as a number', 'http://2130706433/cb'],
    ['http to loopback in octal', 'http://0177.0.0.1/cb'],
    ['http to loopback in short', 'http://127.1/cb'],
    ['http to mapped loopback', 'http://[::ffff:127.0.0.1]/cb'],
    ['javascript', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a scheme of its own', 'myapp://callback'],
    ['a scheme with a dot', 'com.example.app:/cb'],
    ['a user', 'https://claude.ai@evil.example/cb'],
    ['an empty user', 'https://@evil.example/cb'],
    ['a user and a password', 'https://a:b@evil.example/cb'],
    ['a fragment', 'https://client.example/cb#x'],
    ['an empty fragment', 'https://client.example/cb#'],
    ['a wildcard host', 'https://*.client.example/cb'],
    ['a wildcard path', 'https://client.example/*'],
    ['dot segments', 'https://client.example/a/../cb'],
    ['encoded dot segments', 'https://client.example/a/%2e%2E/cb'],
    ['a backslash', 'https://client.example\\@evil.example/cb'],
    ['a tab', 'https://client.example/\tcb'],
    ['a blank in front', ' https://client.example/cb'],
    ['a line feed', 'https://client.example/cb\n'],
    ['capitals in the host', 'https://CLIENT.example/cb'],
    ['a default port', 'https://client.example:443/cb'],
    ['no host', 'https:///cb'],
    ['no scheme', '//client.example/cb'],
    ['nothing', ''],
    ['too much', `https://client.example/${'a'.repeat(2048)}`],
  ])('with %s is none', (_, uri) => {
    expect(readRedirectUri(uri)).toBeNull();
  });

  it.each([
    ['http://localhost/cb', 'http://localhost:5123/cb', true],
    ['http://127.0.0.1:1/cb?a=b', 'http://127.0.0.1:2/cb?a=b', true],
    ['http://[::1]/cb', 'http://[::1]:65535/cb', true],
    ['http://localhost', 'http://localhost:80', true],
    ['http://localhost/cb', 'http://127.0.0.1/cb', false],
    ['http://localhost/cb', 'http://localhost/cb2', false],
    ['http://localhost/cb', 'http://localhost/cb?x=1', false],
    ['http://localhost/cb', 'https://localhost/cb', false],
    ['http://localhost/cb', 'http://localhost:@evil.example/cb', false],
    ['http://localhost/cb', 'http://localhost:1@evil.example/cb', false],
    ['http://localhost/cb', 'http://localhost.evil.example/cb', false],
    ['https://client.example:1/cb', 'https://client.example:2/cb', false],
  ])('%s and %s are the same but for the port: %p', (left, right, same) => {
    expect(isSameLoopback(left, right)).toBe(same);
  });
});

describe('a list of redirect URIs', () => {
  const own = (count: number) => Array.from({ length: count }, (_, i) => `https://client.example/${i}`);

  it.each([
    ['one', own(1)],
    ['ten', own(10)],
  ])('may have %s', (_, uris) => {
    expect(redirectFault(uris)).toBeNull();
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'https://client.example/cb'],
    ['none', []],
    ['eleven', own(11)],
    ['two hundred', own(200)],
    ['something else than texts', [{}]],
  ])('may not be %s', (_, uris) => {
    expect(redirectFault(uris)).toContain('redirect_uris');
  });

  it('is of a native application only when every URI is loopback', () => {
    expect(applicationTypeOf(['http://localhost/cb', 'http://[::1]/cb'])).toBe('native');
    expect(applicationTypeOf(['http://localhost/cb', 'https://client.example/cb'])).toBe('web');
    expect(applicationTypeOf([])).toBe('web');
  });
});

describe('what registers itself', () => {
  it.each([
    ['a listed host', ['https://claude.ai/cb'], null],
    ['loopback', ['http://localhost:7/cb'], null],
    ['the host of its document', ['https://app.example/cb'], 'app.example'],
  ])('may redirect to %s', (_, uris, host) => {
    expect(policy.fault(uris, host)).toBeNull();
  });

  it.each([
    ['another host', ['https://evil.example/cb'], null],
    ['a host below a listed one', ['https://x.claude.ai/cb'], null],
    ['a host that ends like a listed one', ['https://notclaude.ai/cb'], null],
    ['a listed host and another', ['https://claude.ai/cb', 'https://evil.example/cb'], null],
    ['a host beside that of its document', ['https://other.example/cb'], 'app.example'],
  ])('may not redirect to %s', (_, uris, host) => {
    const fault = policy.fault(uris, host);
    expect(fault).toContain('(setting OAUTH_REDIRECT_HOSTS)');
    expect(fault).not.toContain('example');
  });
});

describe('at the time of use', () => {
  const client = (own: object) => ({ clientId: 'c', tokenEndpointAuthMethod: 'none', ...own });

  it('a public application may use any port of its loopback address, and nothing else that is not registered', () => {
    const native = client({ redirectUris: ['http://localhost/callback'], applicationType: 'web' });
    expect(policy.allows(native, 'http://localhost:51234/callback')).toBe(true);
    expect(policy.allows(native, 'http://localhost:51234/other')).toBe(false);
    expect(policy.allows(native, 'http://127.0.0.1:51234/callback')).toBe(false);
  });

  it('a confidential web application may not change the port', () => {
    const web = client({ redirectUris: ['http://localhost:1/cb'], tokenEndpointAuthMethod: 'client_secret_basic' });
    expect(policy.allows(web, 'http://localhost:2/cb')).toBe(false);
    expect(policy.allows(web, 'http://localhost:1/cb')).toBe(true);
  });

  it('an application that registered itself loses a host that is not permitted any more; the operator’s does not', () => {
    const redirectUris = ['https://former.example/cb'];
    expect(policy.allows(client({ redirectUris, registered_by: 'self' }), 'https://former.example/cb')).toBe(false);
    expect(policy.allows(client({ redirectUris, registered_by: 'operator' }), 'https://former.example/cb')).toBe(true);
  });

  it.each([
    'https://good.example/cb/',
    'https://good.example/cb?x=1',
    'https://good.example/CB',
    'https://good.example:8443/cb',
    'http://good.example/cb',
  ])('%s is not the registered URI', (uri) => {
    expect(policy.allows(client({ redirectUris: ['https://good.example/cb'] }), uri)).toBe(false);
  });
});
