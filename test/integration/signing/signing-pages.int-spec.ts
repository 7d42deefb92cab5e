import { randomWallet } from '../../support/random-wallet.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';
import { createMigratedDatabase } from '../../support/database.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { shown } from '../../support/oauth/person.js';
import { ask, codeOf, type Principal, SigningFixture } from '../../support/signing-fixture.js';
import { redactSecrets } from '../../../src/platform/logging/redact.js';

const HOSTILE = `"><script>alert(1)</script>\u202Egnp.exe\u200B\n<img src=x onerror=alert(2)>&lt;${'a'.repeat(20_000)}`;
const NOT_SHOWN = /<script>|<img|\u202E|\u200B|onerror=alert\(2\)>|a{200}/;

let fixture: SigningFixture;
let ada: Principal;
let bob: Principal;

beforeAll(async () => {
  fixture = await SigningFixture.start();
  ada = await fixture.principal('Ada');
  bob = await fixture.principal('Bob');
});
afterAll(() => fixture?.stop());

/** Path and token of an action's link. */
const pathOf = (action: any): string => new URL(action.signing_url).pathname;

describe('the page of an action that is open here', () => {
  it('is complete without its script', async () => {
    const action = await fixture.payment(ada, bob, { title: 'Forty pages' });
    const { page } = await fixture.open(action);
    const { text, html } = page;
    expect(html).toMatch(/<h1>[^<]*100\.00 USDC[^<]*Forty pages[^<]*<\/h1>/);
    expect(text).toContain("The API key “ Ada's buyer key ” asked on ");
    expect(text).toMatch(/Match code [A-Z]+ [A-Z]+ \d{2}/);
    expect(text).toContain('What happens next');
    expect(text).toContain('Your wallet −100.00 USDC');
    expect(text).toContain('Task escrow +100.00 USDC');
    expect(text).toMatch(/\d+ of 15 checks hold, as far as this server alone can tell/);
    expect(text).not.toContain('does not hold');
    expect(text).toContain('Test network – no real money');
    expect(text.replaceAll(' ', '')).toContain(action.escrow_address);
    for (const member of Object.values<string>(action.payload.message)) expect(html).toContain(member);
    expect(text).toContain('ReceiveWithAuthorization');
    expect(page.has('/decline')).toBe(true);
  });

  it('carries what its script checks the document against, from the row', async () => {
    const action = await fixture.publication(ada);
    const { page, browser } = await fixture.open(action);
    const [, attributes = ''] = /<section id="approval" ([^>]*)>/.exec(page.html) ?? [];
    const data = Object.fromEntries(
      [...attributes.matchAll(/data-([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value!.replaceAll('&quot;', '"'),
      ]),
    );
    expect(data).toMatchObject({
      'action-id': action.action_id,
      kind: 'create_task',
      principal: ada.accountId,
      wallet: ada.wallet.address,
      'task-id': action.task_id,
      'node-id': '',
      'chain-id': '31337',
      escrow: action.escrow_address,
      'request-digest': action.request_digest,
    });
    expect(data['digest']).toMatch(/^0x[0-9a-f]{64}$/);
    const { body: document } = await ask(browser, `${action.signing_url}/document`);
    const pinned = JSON.parse(data['deployment']!);
    expect(document.deployment).toMatchObject(pinned);
    const tree = { buyer: ada.wallet.address, arbiter: `0x${'0'.repeat(40)}` };
    expect([JSON.parse(data['tree']!), document.tree]).toEqual([tree, tree]);
    expect(JSON.parse(data['paths']!)).toEqual(
      Object.fromEntries(
        ['document', 'submission', 'decline', 'renew', 'link', 'progress', 'simulation', 'challenge'].map((name) => [
          name,
          `${pathOf(action)}/${name}`,
        ]),
      ),
    );
  });

  it('knows the escrow of a task with an arbiter before it is deployed', async () => {
    const arbiter = randomWallet().address;
    const action = await fixture.payment(ada, bob, { arbiter });
    const { page, browser } = await fixture.open(action);
    expect(page.text).toContain('The escrow is this market’s own, for this task: holds.');
    const { body: document } = await ask(browser, `${action.signing_url}/document`);
    expect(document.tree).toEqual({ buyer: ada.wallet.address, arbiter });
    expect(document.service_reading.escrow).toBe('undeployed_ours');
  });

  it('gives a program that has it open the action and the payload', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    const { body } = await ask(browser, action.signing_url);
    expect(body).toMatchObject({ status: 'opened', payload: action.payload });
    expect(body.action).toMatchObject({ action_id: action.action_id, request_digest: action.request_digest });
    expect(body.summary).toContain('250.00 USDC');
  });

  it('says where it was signed already, and offers nothing more to sign', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    const signature = await signTypedData(ada.wallet, action.payload);
    await ask(browser, `${action.signing_url}/submission`, { body: { signature } });
    const page = shown(await browser.open(action.signing_url));
    expect(page.html).toContain('<h1>Already signed</h1>');
    expect(page.forms).toEqual([]);
    const closed = shown(await fixture.browser(ada.wallet).open(action.signing_url));
    expect(closed.text).toContain('Opened elsewhere');
  });
});

describe('text of other people', () => {
  it('is one short line of text wherever it comes from, with the numbers of what nobody sees', async () => {
    const [buyer, worker] = [await fixture.principal('Cara'), await fixture.principal('Dan')];
    const action = await fixture.payment(buyer, worker);
    await fixture.service.rows('UPDATE tasks SET title = $2 WHERE id = $1', [action.task_id, HOSTILE]);
    await fixture.service.rows('UPDATE agents SET name = $2 WHERE account_id = $1', [worker.accountId, HOSTILE]);
    await fixture.service.rows('UPDATE api_keys SET name = $2 WHERE account_id = $1', [buyer.accountId, HOSTILE]);
    const { page, browser } = await fixture.open(action);
    expect(page.html).not.toMatch(NOT_SHOWN);
    expect(page.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}gnp.exe\\u{200b}');
    expect(Buffer.byteLength(page.html)).toBeLessThan(40_000);
    const { body, text } = await ask(browser, `${action.signing_url}/document`);
    expect(body.facts.taskTitle.length).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    const json = await ask(browser, action.signing_url);
    expect(json.text).not.toMatch(/\u202E|\u200B/);
  });
});

describe('every answer below a link', () => {
  it('keeps browsers from storing, framing, indexing or scripting it', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    for (const who of [browser, fixture.browser()]) {
      const answer = await who.request(action.signing_url);
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]) {
        expect(policy).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-origin',
      });
      const html = await answer.text();
      expect(html.match(/<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style/gi)).toBeNull();
      expect(html.match(/(?:src|href)="(?!\/|#|data:,)[^"]*"/g)).toBeNull();
      for (const [element] of html.matchAll(/<(?:script|link rel="stylesheet")[^>]*>/g)) {
        expect(element).toMatch(/integrity="sha256-[^"]+"/);
      }
    }
  });

  it('sets its cookie for this host, for no script and for no other site', async () => {
    const action = await fixture.publication(ada);
    const answer = await fixture.browser().request(`${action.signing_url}/claim`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { Origin: fixture.service.url },
    });
    const [cookie = ''] = answer.headers.getSetCookie().filter((line) => line.startsWith('tasktree_signing='));
    expect(cookie).toMatch(/^tasktree_signing=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it('is built from BASE_URL and never from what the request says of its host', async () => {
    const action = await fixture.publication(ada);
    const headers = {
      Accept: 'text/html',
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    };
    const answer = await fetch(action.signing_url, { headers });
    expect(await answer.text()).not.toContain('evil.example');
    expect(action.signing_url.startsWith(`${fixture.service.url}/sign/`)).toBe(true);
  });

  it.each(['', '/claim', '/document', '/submission', '/take-over', '/simulation', '/x/y'])(
    'has no token in a log line: %j',
    async (route) => {
      const path = `/sign/${'tOkEn_-'.repeat(6)}A${route}`;
      const line = redactSecrets(
        JSON.stringify({ url: path, msg: `GET https://market.example/base${path}?a=b failed` }),
      );
      expect(line).not.toContain('tOkEn');
      expect(line).toContain('/sign/[redacted]');
    },
  );
});

describe('a link that is none', () => {
  it('gives one page and one body for everything that it could be', async () => {
    const action = await fixture.publication(ada);
    const token = pathOf(action).slice('/sign/'.length);
    const tokens = ['x', 'A'.repeat(43), `${token}A`, token.slice(0, -1), encodeURIComponent('../health'), "';--"];
    const pages = await Promise.all(
      tokens.map(async (one) => {
        const answer = await fetch(`${fixture.service.url}/sign/${one}`, { headers: { Accept: 'text/html' } });
        return [answer.status, await answer.text()];
      }),
    );
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
    expect(pages[0]?.[0]).toBe(404);
    expect(pages[0]?.[1]).toContain('<h1>This link is not valid</h1>');
    const answers = await Promise.all(
      tokens.map((one) => ask(fixture.browser(), `${fixture.service.url}/sign/${one}`)),
    );
    expect(new Set(answers.map(({ status, text }) => status + text)).size).toBe(1);
    expect(codeOf(answers[0]!)).toBe('not_found');
    const below = await ask(fixture.browser(), `${fixture.service.url}/sign/${'A'.repeat(43)}/document`);
    expect(below.body).toEqual(answers[0]?.body);
  });
});

describe('what can be known beforehand', () => {
  it('is the signing address, the contracts, and the hashes of the files', async () => {
    const { body: configuration } = await ask(
      fixture.browser(),
      `${fixture.service.url}/.well-known/tasktree-configuration`,
    );
    expect(configuration).toEqual({
      signing_origin: fixture.service.url,
      signing_path: '/sign/',
      chain_id: 31337,
      chain_name: 'Local chain',
      escrow_factory_address: fixture.chain.factory,
      escrow_implementation_address: fixture.chain.implementation,
      usdc_address: fixture.chain.usdc,
      usdc_domain: { name: 'USD Coin', version: '2' },
      max_action_seconds: 900,
    });
    const { body } = await ask(fixture.browser(), `${fixture.service.url}/.well-known/signing-page.json`);
    const { html } = (await fixture.open(await fixture.publication(ada))).page;
    for (const { path, integrity } of body.assets.filter(({ name }: any) => /approval|style/.test(name))) {
      expect(html).toContain(`"${path}" integrity="${integrity}"`);
      expect((await fetch(fixture.service.url + path)).status).toBe(200);
    }
  });
});

describe('behind a gateway with a path', () => {
  it('keeps links, forms, data and the cookie below the path', async () => {
    const own = await SigningFixture.start({ prefix: '/market' });
    try {
      const who = await own.principal();
      const action = await own.publication(who);
      expect(action.signing_url.startsWith(`${own.service.url}/market/sign/`)).toBe(true);
      const inside = action.signing_url.replace('/market/', '/');
      const closed = await (await fetch(inside, { headers: { Accept: 'text/html' } })).text();
      expect(closed).toContain(`action="${pathOf(action)}/claim"`);
      const claimed = await fetch(`${inside}/claim`, {
        method: 'POST',
        body: new URLSearchParams(),
        headers: { Origin: own.service.url },
        redirect: 'manual',
      });
      expect(claimed.headers.get('location')).toBe(pathOf(action));
      const cookie = claimed.headers.getSetCookie()[0] ?? '';
      expect(cookie).toContain('Path=/market;');
      const page = await fetch(inside, { headers: { Accept: 'text/html', Cookie: cookie.split(';')[0]! } });
      const html = await page.text();
      expect(html).toContain(`&quot;document&quot;:&quot;${pathOf(action)}/document&quot;`);
      expect(html.match(/(?:src|href|action)="\/(?!market\/)[^"]*"/g)).toBeNull();
    } finally {
      await own.stop();
    }
  });
});

describe('without the database', () => {
  it('answers 503, as a page and as JSON', async () => {
    const { url, dataSource } = await createMigratedDatabase();
    const proxy = await TcpProxy.start(Number(new URL(url).port));
    const proxied = new URL(url);
    proxied.port = String(proxy.port);
    const own = await SigningFixture.start({ databaseUrl: proxied.href });
    try {
      const who = await own.principal();
      const action = await own.publication(who);
      const { browser } = await own.open(action);
      proxy.refuse();
      proxy.cut();
      const page = await browser.request(action.signing_url);
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('Not available at the moment');
      const json = await ask(browser, `${action.signing_url}/document`);
      expect([json.status, codeOf(json)]).toEqual([503, 'service_unavailable']);
      proxy.pass();
    } finally {
      await own.stop();
      await proxy.stop();
      await dataSource.destroy();
    }
  });
});
