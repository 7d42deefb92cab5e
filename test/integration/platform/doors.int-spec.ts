import { AccountSite } from '../../support/oauth/account-site.js';
import { HtmlPage } from '../../support/oauth/html-page.js';
import type { ListeningService } from '../../support/listening-service.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { Person, shown } from '../../support/oauth/person.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let site: AccountSite;
let app: ListeningService;

beforeAll(async () => {
  site = await AccountSite.start({ environment: { testWalletUrl: 'http://127.0.0.1:9' } });
  app = site.oauth;
});
afterAll(() => site?.close());

async function get(path: string, accept?: string, method = 'GET') {
  const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
  const answer = await fetch(app.url + path, { headers, method, redirect: 'manual' });
  return new HtmlPage(new URL(answer.url), answer.status, answer.headers, await answer.text());
}

describe('the start page', () => {
  it('leads to the account, the reference and the health, all of which are there', async () => {
    const page = await get('/', BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const doors = [...page.html.matchAll(/<a class="button" href="([^"]+)"/g)].map(([, path]) => path!);
    expect(doors).toEqual(['/account', '/docs', '/status']);
    for (const door of doors) expect([door, (await get(door, BROWSER)).status < 400]).toEqual([door, true]);
    expect((await get('/status', BROWSER)).text).toContain('is up');
    // Searches find it, as the only one of the pages, and a program finds all other documents from it.
    expect(page.headers.get('x-robots-tag')).toBeNull();
    expect(page.headers.get('link')).toContain('rel="api-catalog"');
    expect((await get('/status', BROWSER)).headers.get('x-robots-tag')).toBe('noindex, nofollow');
  });

  it('is the text of /llms.txt for who asks for Markdown', async () => {
    const text = (await get('/', 'text/markdown')).html;
    expect(text).toBe((await get('/llms.txt')).html);
  });

  it('tells a program the same as JSON', async () => {
    const home = await get('/');
    expect(JSON.parse(home.html)).toEqual({
      docs: `${app.url}/docs`,
      openapi: `${app.url}/openapi.json`,
      account: `${app.url}/account`,
      status: `${app.url}/status`,
    });
    expect(JSON.parse((await get('/status', 'application/json')).html)).toEqual({ status: 'up' });
  });
});

describe('a path that does not exist', () => {
  it.each(['/nothing', '/account/nothing', '/v1/nothing', '/sign'])('%s is a page for a browser', async (path) => {
    const page = await get(path, BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('This address does not exist.');
    expect(page.html).toContain('href="/"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'is the JSON error for a program that accepts %s',
    async (accept) => {
      const answer = await get('/nothing', accept);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json']);
      expect(JSON.parse(answer.html)).toMatchObject({ error: { code: 'unknown_route' } });
    },
  );

  it('is the JSON error for whatever is sent there, and for a wrong method', async () => {
    expect(JSON.parse((await get('/nothing', BROWSER, 'POST')).html)).toMatchObject({
      error: { code: 'unknown_route' },
    });
    expect(JSON.parse((await get('/', BROWSER, 'POST')).html)).toMatchObject({ error: { code: 'method_not_allowed' } });
  });
});

describe('the Demo Wallet', () => {
  it('is on every page that asks for a wallet', async () => {
    const client = await PlainClient.register(app.url, 'http://127.0.0.1:61234/callback', { client_name: 'App' });
    const { person } = await site.signedIn();
    const pages = {
      'sign-in': await get('/account/sign-in', BROWSER),
      'sign-in of an application': shown(await new Person(app.url).open(client.authorization('read').url)),
      'add a wallet': await site.open(person, '/account/wallets'),
      'confirm a key': await site.send(person, '/account/keys', '/create', { name: 'a', scope: 'read' }),
    };
    for (const [name, { html }] of Object.entries(pages)) {
      expect([name, html.includes('/test-wallet.js"')]).toEqual([name, true]);
      expect([name, html.includes('data-wallet-sign-in')]).toEqual([name, true]);
    }
    expect((await site.open(person, '/account/sessions')).html).not.toContain('/test-wallet.js"');
  });
});
