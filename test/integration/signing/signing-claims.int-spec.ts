import { OneUnusedLink1700000000127 } from '../../../src/migrations/1700000000127-one-unused-link.js';
import { asOne } from '../../../src/migrations/as-one.js';
import { SigningClaimEntity } from '../../../src/modules/signing/visits/signing-claim.entity.js';
import type { Person } from '../../support/oauth/person.js';
import { shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';
import { ask, codeOf, type Principal, SigningFixture } from '../../support/signing-fixture.js';

/**
 * Matches the budget only in a form that cannot be part of a wallet's address or a token, as its digits alone could.
 */
const BUDGET = /250(\.00|000000|\s*USDC)/;

let fixture: SigningFixture;
let ada: Principal;

beforeAll(async () => {
  fixture = await SigningFixture.start({ environment: { testWalletUrl: 'http://127.0.0.1:9' } });
  ada = await fixture.principal('Ada');
});
afterAll(() => fixture?.stop());

const claimsOf = (actionId: string) => fixture.service.dataSource.manager.findBy(SigningClaimEntity, { actionId });
const statusOf = async (action: any): Promise<string> => (await fixture.readAction(ada, action.action_id)).status;

/** Posts the claim form with additional headers. */
async function claim(action: any, browser: Person, headers: Record<string, string> = {}): Promise<Response> {
  return browser.request(`${action.signing_url}/claim`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { Origin: fixture.service.url, ...headers },
  });
}

describe('a link that nobody has opened', () => {
  it('tells the kind, the network, the end and four digits of the wallet, and nothing more', async () => {
    const action = await fixture.publication(ada, { title: 'A secret title', brief: 'A secret brief' });
    const page = shown(await fixture.browser().open(action.signing_url));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Publish a task');
    expect(page.text).toContain('Local chain');
    expect(page.text).toContain(`ends in ${ada.wallet.address.slice(-4)}`);
    for (const secret of [ada.wallet.address, ada.accountId, action.action_id, 'secret', action.request_digest]) {
      expect(page.html).not.toContain(secret);
    }
    expect(page.html).not.toMatch(BUDGET);
    expect(page.forms.map(({ action: path }) => new URL(path).pathname)).toEqual([
      `${new URL(action.signing_url).pathname}/claim`,
    ]);
  });

  it('tells a program no more than the page', async () => {
    const action = await fixture.publication(ada, { title: 'A secret title' });
    const { status, body, text } = await ask(fixture.browser(), action.signing_url);
    expect([status, body.status, body.summary]).toEqual([200, 'prepared', 'Publish a task']);
    expect(text).not.toContain(ada.wallet.address);
    expect(text).not.toContain('secret');
    expect(text).not.toMatch(BUDGET);
  });

  it('opens by its one button, in that browser, and then says so to the application', async () => {
    const action = await fixture.publication(ada, { title: 'Forty pages' });
    expect(await statusOf(action)).toBe('prepared');
    const { page, browser } = await fixture.open(action);
    expect(page.status).toBe(200);
    expect(page.html).toContain('id="approval"');
    expect(page.text).toContain('Forty pages');
    expect(await statusOf(action)).toBe('opened');
    expect(shown(await browser.open(action.signing_url)).html).toContain('id="approval"');
    expect((await claimsOf(action.action_id)).map(({ means }) => means)).toEqual(['link']);
  });

  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'Sec-Purpose': 'prefetch' }],
    ['GET', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['GET', { 'Sec-Fetch-Dest': 'iframe' }],
  ])('is not opened by %s %j of anything below it', async (method, headers) => {
    const action = await fixture.publication(ada);
    for (const path of ['', '/claim', '/take-over', '/challenge', '/decline', '/renew', '/document', '/submission']) {
      await fetch(action.signing_url + path, { method, headers, redirect: 'manual' });
    }
    expect(await claimsOf(action.action_id)).toEqual([]);
    expect(await statusOf(action)).toBe('prepared');
  });

  it.each([
    [{ 'Sec-Purpose': 'prefetch' }],
    [{ Purpose: 'prefetch' }],
    [{ 'Sec-Fetch-Dest': 'iframe' }],
    [{ 'Sec-Fetch-Dest': 'object' }],
  ])('is refused ahead of a click and in a frame: %j', async (headers) => {
    const action = await fixture.publication(ada);
    const answer = await fetch(action.signing_url, { headers: { Accept: 'text/html', ...headers } });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await claim(action, fixture.browser(), headers)).status).toBe(400);
    expect(await claimsOf(action.action_id)).toEqual([]);
  });

  it.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['an opaque origin', { Origin: 'null' }],
    ['nobody', { Origin: '' }],
  ])('is not opened by a form of %s', async (_who, headers) => {
    const action = await fixture.publication(ada);
    expect((await claim(action, fixture.browser(), headers)).status).toBe(400);
    const bare = await fetch(`${action.signing_url}/claim`, { method: 'POST', redirect: 'manual' });
    expect(bare.status).toBe(400);
    expect(await claimsOf(action.action_id)).toEqual([]);
  });
});

describe('a link that another browser has opened', () => {
  it('shows a second browser nothing but when that was', async () => {
    const action = await fixture.publication(ada, { title: 'A secret title' });
    await fixture.open(action);
    const second = fixture.browser();
    const page = shown(await second.open(action.signing_url));
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/Opened elsewhere at \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC/);
    // In a local market the Demo Wallet can prove it like any other wallet.
    expect(page.html).toContain('/test-wallet.js"');
    expect(page.html).not.toContain('secret');
    expect(page.html).not.toContain(ada.wallet.address);
    expect((await claim(action, second)).status).toBe(409);
    for (const path of ['/document', '/progress', '/simulation']) {
      expect(codeOf(await ask(second, action.signing_url + path))).toBe('claim_required');
    }
    for (const path of ['/submission', '/decline', '/renew', '/link']) {
      expect(codeOf(await ask(second, action.signing_url + path, { body: {} }))).toBe('claim_required');
    }
    expect(await statusOf(action)).toBe('opened');
  });

  it('may be opened again by the browser that has it, and by no replay of its request elsewhere', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    expect((await claim(action, browser)).status).toBe(303);
    expect((await claim(action, fixture.browser())).status).toBe(409);
    expect(await claimsOf(action.action_id)).toHaveLength(1);
  });

  it('goes to exactly one of ten browsers that press the button at once', async () => {
    const action = await fixture.publication(ada);
    const browsers = Array.from({ length: 10 }, () => fixture.browser());
    const answers = await Promise.all(browsers.map((browser) => claim(action, browser)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      303,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const seeing = await Promise.all(browsers.map((browser) => ask(browser, `${action.signing_url}/document`)));
    expect(seeing.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is closed to the browser that has another action open, and to a made-up cookie', async () => {
    const [own, other] = [await fixture.publication(ada), await fixture.publication(ada)];
    await fixture.open(other);
    const { browser } = await fixture.open(own);
    expect(codeOf(await ask(browser, `${other.signing_url}/document`))).toBe('claim_required');
    const headers = { Cookie: `tasktree_signing=${'A'.repeat(43)}` };
    expect(codeOf(await ask(fixture.browser(), `${other.signing_url}/document`, { headers }))).toBe('claim_required');
  });

  it('asks a browser that comes from another site to come again with its own cookie', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    const headers = { Accept: 'text/html', 'Sec-Fetch-Site': 'cross-site' };
    const arriving = await fetch(action.signing_url, { headers });
    const path = new URL(action.signing_url).pathname;
    expect([arriving.status, arriving.headers.get('refresh')]).toEqual([200, `0; url=${path}`]);
    expect(await arriving.text()).not.toContain('id="approval"');
    const again = await browser.request(action.signing_url, { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect(await again.text()).toContain('id="approval"');
  });
});

describe('who is signed in as the principal', () => {
  it('sees the request without opening it, and so does nobody else who is signed in', async () => {
    const action = await fixture.publication(ada);
    const [own, stranger] = [fixture.browser(ada.wallet), fixture.browser(randomWallet())];
    await own.signInToAccount();
    await stranger.signInToAccount();
    expect(shown(await own.open(action.signing_url)).html).toContain('id="approval"');
    expect((await ask(own, `${action.signing_url}/document`)).status).toBe(200);
    expect(shown(await stranger.open(action.signing_url)).html).not.toContain('id="approval"');
    expect(codeOf(await ask(stranger, `${action.signing_url}/document`))).toBe('claim_required');
    expect(await statusOf(action)).toBe('prepared');
  });
});

describe('taking over with the wallet', () => {
  it('moves the action to the browser of who proves it, and closes it in the other', async () => {
    const action = await fixture.publication(ada);
    const { browser: first } = await fixture.open(action);
    const second = fixture.browser(ada.wallet);
    const page = shown(await second.signIn(shown(await second.open(action.signing_url))));
    expect(page.html).toContain('id="approval"');
    expect(codeOf(await ask(first, `${action.signing_url}/document`))).toBe('claim_required');
    expect((await claimsOf(action.action_id)).map(({ means }) => means)).toEqual(['wallet']);
  });

  it('is refused to who proves another wallet, and the first browser keeps it', async () => {
    const action = await fixture.publication(ada);
    const { browser: first } = await fixture.open(action);
    const thief = fixture.browser(randomWallet());
    const page = shown(await thief.signIn(shown(await thief.open(action.signing_url))));
    expect(page.status).toBe(403);
    expect(page.text).toContain('This is not the wallet that is to sign.');
    expect(page.html).not.toContain(ada.wallet.address);
    expect((await ask(first, `${action.signing_url}/document`)).status).toBe(200);
  });

  it('does not take the proof for one action as that for another, nor one for signing in', async () => {
    const [one, two] = [await fixture.publication(ada), await fixture.publication(ada)];
    await Promise.all([fixture.open(one), fixture.open(two)]);
    const browser = fixture.browser(ada.wallet);
    const asked = await browser.challenge(shown(await browser.open(one.signing_url)));
    const signature = await browser.sign(asked.message);
    expect(asked.message).toContain('Open a request that waits for this wallet');
    expect(asked.message).not.toContain(new URL(one.signing_url).pathname);
    const other = await browser.challenge(shown(await browser.open(two.signing_url)));
    const first = asked.forms.find(({ fields }) => fields.some(({ name, value }) => name === 'challenge_id' && value));
    const id = first?.fields.find(({ name }) => name === 'challenge_id')?.value ?? '';
    expect(shown(await browser.answer(other, signature, { challenge_id: id })).status).toBe(400);
    expect((await claimsOf(two.action_id)).map(({ means }) => means)).toEqual(['link']);
  });
});

describe('a second link for another device', () => {
  it('opens the action there once, and closes it in the first browser', async () => {
    const action = await fixture.publication(ada);
    const { browser: desktop } = await fixture.open(action);
    const { body } = await ask(desktop, `${action.signing_url}/link`, { body: {} });
    expect(body.expires_at).toBe(action.expires_at);
    expect(body.signing_url).not.toBe(action.signing_url);
    const { browser: phone, page } = await fixture.open(body);
    expect(page.html).toContain('id="approval"');
    expect(codeOf(await ask(desktop, `${action.signing_url}/document`))).toBe('claim_required');
    expect((await ask(phone, `${action.signing_url}/document`)).status).toBe(200);
    const third = fixture.browser();
    expect((await claim(body, third)).status).toBe(409);
    expect((await ask(phone, `${body.signing_url}/document`)).status).toBe(200);
  });

  it('stops when a newer one is made', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    const make = async () => (await ask(browser, `${action.signing_url}/link`, { body: {} })).body.signing_url;
    const [older, newer] = [await make(), await make()];
    expect((await fetch(older, { headers: { Accept: 'text/html' } })).status).toBe(404);
    expect((await fetch(newer, { headers: { Accept: 'text/html' } })).status).toBe(200);
  });

  it('is the only one that opens it, however many are made at the same moment', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    const made = await Promise.all(
      Array.from({ length: 5 }, () => ask(browser, `${action.signing_url}/link`, { body: {} })),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const visits = made.map(({ body }) => fetch(body.signing_url, { headers: { Accept: 'text/html' } }));
    const statuses = (await Promise.all(visits)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(4);
  });

  it('stays the newest alone of those that an earlier release has left open', async () => {
    const action = await fixture.publication(ada);
    const own = new OneUnusedLink1700000000127();
    const runner = fixture.service.dataSource.createQueryRunner();
    try {
      await own.down(runner);
      await runner.query(
        `INSERT INTO signing_extra_links (token_hash, action_id, created_at, used_at)
         SELECT sha256(place::text::bytea), $1, now() + place * interval '1 second', used_at
         FROM (VALUES (1, NULL), (2, now()), (3, NULL), (4, NULL), (5, now())) AS link (place, used_at)`,
        [action.action_id],
      );
      await asOne(runner, () => own.up(runner));
    } finally {
      await runner.release();
    }
    const left = await fixture.service.rows(
      `SELECT used_at IS NULL AS open, token_hash = sha256('4') AS newest FROM signing_extra_links
       WHERE action_id = $1 ORDER BY created_at`,
      [action.action_id],
    );
    expect(left).toEqual([
      { open: false, newest: false },
      { open: true, newest: true },
      { open: false, newest: false },
    ]);
  });
});
