import { auth, UnauthorizedError, withOAuth } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, BROWSER_NOTE, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { ClientDocumentHost } from './client-document.js';
import { McpProvider } from '../../support/oauth/mcp-provider.js';
import { ClientCallback } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import type { Consent } from '../../support/oauth/person.js';
import { MarketFixture, type Person as MarketPerson } from '../../support/e2e/market-fixture.js';

let fixture: MarketFixture;
let service: OAuthService;
let callback: ClientCallback;
let host: ClientDocumentHost;
let browser: Browser | undefined;
let buyer: MarketPerson;

beforeAll(async () => {
  callback = await ClientCallback.listen();
  // Like the document of Claude Code, it names no port; the application adds one to its request.
  host = await ClientDocumentHost.listen(['http://127.0.0.1/callback', 'https://mcp.example/callback'], 'mcp.example');
  [fixture, service] = await Promise.all([MarketFixture.open(), OAuthService.start({ variables: host.variables })]);
  buyer = await fixture.person('Mona');
  // Silences the SDK, which reports on the console how it handles refusals.
  jest.spyOn(console, 'warn').mockImplementation(() => {});
});

afterAll(async () => {
  await browser?.close();
  await callback?.close();
  await service?.stop();
  await host?.close();
  await fixture?.close();
});

/** The SDK's own fetch: it answers a 401 by authorizing, as the SDK's transports do. */
const client = (provider: McpProvider) => withOAuth(provider, service.baseUrl)(fetch);
const tasksUrl = (): string => `${service.baseUrl}/v1/tasks`;

/** Makes the first call, which is refused. @returns the authorization address that the SDK has found for the person. */
async function sendsToAuthorization(provider: McpProvider): Promise<URL> {
  await expect(client(provider)(tasksUrl())).rejects.toThrow(UnauthorizedError);
  return provider.authorizationUrl;
}

/** Back at the client: the SDK exchanges the code for tokens. */
async function redeem(provider: McpProvider, arrived: URL): Promise<void> {
  const result = await auth(provider, { serverUrl: service.baseUrl, ...provider.accepted(arrived) });
  expect(result).toBe('AUTHORIZED');
}

async function connected(provider: McpProvider, consent: Consent = {}): Promise<void> {
  const url = await sendsToAuthorization(provider);
  await redeem(provider, await service.person(buyer.participant.wallet).authorize(url, consent));
}

const documented = (): McpProvider => new McpProvider(callback.url, host.clientId);
const registered = (): McpProvider => new McpProvider(callback.url);

describe.each([
  ['dynamic registration', registered],
  ['a metadata document (CIMD)', documented],
])('the MCP client SDK, unmodified, with %s', (_kind, provider) => {
  it('finds everything from a refused call, asks with the resource, and calls with the token', async () => {
    const mcp = provider();
    const url = await sendsToAuthorization(mcp);
    expect(url.href.split('?')[0]).toBe(`${service.baseUrl}/oauth/authorize`);
    expect(url.searchParams.get('resource')).toBe(service.baseUrl);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    await redeem(mcp, await service.person(buyer.participant.wallet).authorize(url));
    expect(mcp.stored).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) });
    expect((await client(mcp)(tasksUrl())).status).toBe(200);
  });

  it('renews a token that is no longer good without asking the person', async () => {
    const mcp = provider();
    await connected(mcp);
    const asked = mcp.redirects.length;
    const { access_token: first, refresh_token: refresh } = mcp.stored!;
    mcp.stored = { ...mcp.stored!, access_token: `${first.slice(0, -4)}AAAA` };
    expect((await client(mcp)(tasksUrl())).status).toBe(200);
    expect(mcp.stored.access_token).not.toBe(first);
    expect(mcp.stored.refresh_token).not.toBe(refresh);
    expect(mcp.redirects).toHaveLength(asked);
  });

  it('after the person has revoked it, the next call leads back to the person', async () => {
    const mcp = provider();
    await connected(mcp);
    const { refresh_token: token } = mcp.stored!;
    const body = new URLSearchParams({ token: token!, client_id: mcp.client!.client_id });
    expect((await fetch(`${service.baseUrl}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    const asked = mcp.redirects.length;
    await expect(client(mcp)(tasksUrl())).rejects.toThrow(UnauthorizedError);
    expect(mcp.redirects).toHaveLength(asked + 1);
    expect(mcp.stored).toBeUndefined();
  });

  it('an address with a path is found as well, with and without a slash at its end', async () => {
    for (const path of ['/v1', '/mcp', '/']) {
      const mcp = provider();
      expect(await auth(mcp, { serverUrl: `${service.baseUrl}${path}` })).toBe('REDIRECT');
      expect(mcp.authorizationUrl.searchParams.get('resource')).toMatch(
        new RegExp(`^${service.baseUrl}(/v1|/mcp|/)?$`),
      );
      const arrived = await service.person(buyer.participant.wallet).authorize(mcp.authorizationUrl);
      expect(await auth(mcp, { serverUrl: `${service.baseUrl}${path}`, ...mcp.accepted(arrived) })).toBe('AUTHORIZED');
      expect((await client(mcp)(tasksUrl())).status).toBe(200);
    }
  });

  it('a narrowed consent: the call beyond it is refused with what it needs', async () => {
    const mcp = provider();
    await connected(mcp, { scopes: ['read'] });
    const refused = await client(mcp)(`${service.baseUrl}/v1/agents`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
      body: '{}',
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('WWW-Authenticate')).toMatch(
      /^Bearer .*error="insufficient_scope".*scope="agent-owner"/,
    );
  });
});

describe('an application with a metadata document', () => {
  it('is shown with the host of its document, and its name is unverified as that of a registered one is', async () => {
    const person = service.person(buyer.participant.wallet);
    const vouched = await person.consentPage(await sendsToAuthorization(documented()));
    expect(vouched.text).toMatch(/Example Assistant.*its document is at mcp\.example/);
    // Where the document is hosted proves no name. Only hosts that the operator lists are shown without the warning.
    expect(vouched.text).toMatch(/nobody has verified/i);
    const other = await service.person(buyer.participant.wallet).consentPage(await sendsToAuthorization(registered()));
    expect(other.text).toMatch(/nobody has verified/i);
  });

  it('nothing of it but the document is fetched', () => {
    expect(new Set(host.requests)).toEqual(new Set(['/oauth/client.json']));
  });
});

describeWithBrowser(`the MCP client SDK with a person at a browser${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });

  it.each([
    ['dynamic registration', registered],
    ['a metadata document (CIMD)', documented],
  ])('%s: discovery, sign-in, consent, tokens, call, refresh, revocation, refusal', async (_kind, provider) => {
    const mayVisit = [callback.origin];
    const person = await BrowserPerson.open(browser!, service.baseUrl, buyer.participant.wallet, { mayVisit });
    const mcp = provider();
    await redeem(mcp, await person.authorize(await sendsToAuthorization(mcp)));
    expect(person.window.wrongs).toEqual([]);
    expect((await client(mcp)(tasksUrl())).status).toBe(200);

    const { refresh_token: before } = mcp.stored!;
    expect(await auth(mcp, { serverUrl: service.baseUrl })).toBe('AUTHORIZED');
    expect(mcp.stored!.refresh_token).not.toBe(before);
    expect((await client(mcp)(tasksUrl())).status).toBe(200);

    await person.page.goto(`${service.baseUrl}/account/apps`);
    await person.page.getByRole('button', { name: 'Revoke' }).first().click();
    await person.page.getByRole('status').waitFor();
    await expect(client(mcp)(tasksUrl())).rejects.toThrow(UnauthorizedError);
    await person.close();
  });
});
