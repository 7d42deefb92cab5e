import { randomUUID } from 'node:crypto';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { Webhook } from 'standardwebhooks';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { OAuthGrantEntity } from '../../../src/modules/oauth/storage/oauth-grant.entity.js';
import { WebhookEndpointsService } from '../../../src/modules/webhooks/endpoints/webhook-endpoints.service.js';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { eventually } from '../../support/eventually.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import { Person, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const LIST = '/account/webhooks';
const NEW = `${LIST}/new`;
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/g;
const HOSTILE = `</pre><script>alert(1)</script>\u202Ecod.exe\u200B\nsecond line`;

let site: AccountSite;
let receiver: WebhookReceiver;

beforeAll(async () => {
  // No name resolves: nothing is sent but to this machine.
  const override = (testing: TestingModuleBuilder) =>
    testing.overrideProvider(EgressDns).useValue({ authorities: null, resolve: () => Promise.resolve([]) });
  [site, receiver] = await Promise.all([AccountSite.start({ chain: true, override }), WebhookReceiver.listen()]);
});
afterAll(async () => {
  await receiver?.close();
  await site?.close();
});

interface Owner {
  readonly person: Person;
  readonly accountId: string;
  readonly id: string;
  /** Path of the endpoint's page. */
  readonly page: string;
  readonly secret: string;
}

interface Row {
  id: string;
  url: string;
  types: string[] | null;
  description: string | null;
  status: string;
  credential_id: string | null;
}

const secretsOn = ({ html }: HtmlPage): string[] => html.match(SECRET) ?? [];
const rowsOf = (accountId: string) =>
  site.oauth.rows<Row>('SELECT * FROM webhook_endpoints WHERE account_id = $1 ORDER BY id', [accountId]);
const urlOf = (path: string) => `${receiver.url}${path}`;
let paths = 0;

/** A person with an endpoint that was made on the page, at a path of the receiver. */
async function owner(path = `/path-${(paths += 1)}`, more: Record<string, string> = {}): Promise<Owner> {
  const { person, accountId } = await site.signedIn();
  await site.oauth.logged();
  const made = await site.confirm(person, NEW, LIST, { url: urlOf(path), ...more });
  expect(made.status).toBe(200);
  const { id } = (await rowsOf(accountId))[0]!;
  return { person, accountId, id, page: `${LIST}/${id}`, secret: secretsOn(made)[0] ?? '' };
}

/** Records an event of the account. @returns its id. */
async function record(accountId: string): Promise<string> {
  const at = site.oauth.clock.now();
  const [id = ''] = await site.oauth.get(Transactions).run((manager) =>
    recordEvents(manager, [
      {
        type: 'agent.updated',
        at,
        subject: { kind: 'agent', id: 'agent_spec' },
        audience: [accountId],
        data: { updated_at: at.toISOString() },
      },
    ]),
  );
  await site.oauth.logged();
  return id;
}

const attemptsOf = (id: string) =>
  site.oauth.rows<{ id: string; event_id: string }>('SELECT * FROM webhook_attempts WHERE endpoint_id = $1', [id]);
const firstAttempt = async (id: string) => (await attemptsOf(id))[0]?.id ?? '';
const tried = (id: string, count: number) => eventually(async () => (await attemptsOf(id)).length >= count);

describe('an endpoint', () => {
  it('is made once a wallet agrees, shows its secret once, and is signed with it', async () => {
    const { person, accountId } = await site.signedIn();
    expect((await site.open(person, LIST)).text).toContain('You have no webhook endpoints.');
    const asked = await site.send(person, NEW, LIST, { url: urlOf('/made'), description: 'Ledger', type: [] });
    expect(asked.message).toContain('create a webhook endpoint that sends all events of this account to 127.0.0.1');
    expect(asked.message).not.toContain('/made');
    expect(await rowsOf(accountId)).toEqual([]);
    const signature = await person.sign(asked.message);
    const made = shown(await person.answer(asked, signature));
    const [secret = ''] = secretsOn(made);
    expect([made.status, made.headers.get('cache-control'), secretsOn(made).length]).toEqual([200, 'no-store', 1]);
    const again = shown(await person.answer(asked, signature));
    expect([again.status, secretsOn(again), again.text]).toEqual([409, [], expect.stringContaining('replace it on')]);
    const rows = await rowsOf(accountId);
    expect(rows).toMatchObject([{ url: urlOf('/made'), types: null, description: 'Ledger', credential_id: null }]);

    const list = await site.open(person, LIST);
    for (const text of ['Ledger', 'Active', 'You, on this page', 'All, and types we add later', 'None in 30 days']) {
      expect(list.text).toContain(text);
    }
    expect(secretsOn(list)).toEqual([]);
    const tested = await site.send(person, `${LIST}/${rows[0]!.id}`, '/test');
    expect(tested.text).toContain('A test event is on its way.');
    await tried(rows[0]!.id, 1);
    const { body, headers } = receiver.at('/made').at(-1)!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook_endpoint.test',
    });
    expect((await site.open(person, LIST)).text).toMatch(/Last delivery .*Taken \(200\)/);
    expect(await site.eventsOf(accountId)).toContain('webhook_endpoint_created');
    expect((await site.open(person, '/account/activity')).text).toContain('A webhook endpoint was created: 127.0.0.1');
    expect((await site.open(person, '/account')).text).toContain('1 webhook endpoint');
  });

  it('gets the groups and types that were ticked', async () => {
    const { accountId, person, page } = await owner('/types', { group: 'offers', type: 'agent.updated' });
    const [row] = await rowsOf(accountId);
    expect(row!.types).toEqual(expect.arrayContaining(['quote.submitted', 'quote.expired', 'agent.updated']));
    expect(row!.types!.filter((type) => !/^quote|^agent.updated$/.test(type))).toEqual([]);
    expect((await site.open(person, page)).text).toContain('Offers (all), agent.updated');
    const form = (await site.open(person, `${page}/change`)).form('/change');
    const ticked = form.fields.filter(({ type, checked }) => type === 'checkbox' && checked);
    expect(ticked.map(({ value }) => value)).toEqual(['offers', 'agent.updated']);
  });

  it.each([
    ['no address', { url: '' }, 'webhook-url'],
    ['plain http', { url: 'http://hooks.example/' }, 'webhook-url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'webhook-url'],
    ['the metadata of a cloud', { url: 'https://169.254.169.254/latest' }, 'webhook-url'],
    ['a port of mail', { url: 'https://hooks.example:25/' }, 'webhook-url'],
    ['a password', { url: 'https://a:b@hooks.example/' }, 'webhook-url'],
    ['a fragment', { url: 'https://hooks.example/#"><script>' }, 'webhook-url'],
    ['a name of 201 characters', { description: 'n'.repeat(201) }, 'webhook-description'],
    ['a name with hidden characters', { description: 'a\u202eb' }, 'webhook-description'],
    ['an unknown type', { type: 'quote.eaten' }, 'webhook-types'],
    ['an unknown group', { group: 'everything' }, 'webhook-types'],
  ])('with %s is not made, and the form says so before a wallet is asked', async (_, values, field) => {
    const { person, accountId } = await site.signedIn();
    const page = await site.send(person, NEW, LIST, { url: 'https://hooks.example/', ...values });
    expect([page.status, page.html.includes('<script')]).toEqual([400, false]);
    expect(page.html).toMatch(new RegExp(`id="${field}-fault" role="alert"`));
    expect(await rowsOf(accountId)).toEqual([]);
  });

  it('is one of ten at most, over the page and all keys', async () => {
    const { person, accountId } = await site.signedIn();
    const asked = await site.send(person, NEW, LIST, { url: urlOf('/eleventh') });
    const owned = { accountId, credentialId: null, auditId: null };
    for (let n = 0; n < 10; n += 1) {
      await site.oauth.get(WebhookEndpointsService).create(owned, { url: urlOf('/many') });
    }
    const refused = shown(await person.answer(asked, await person.sign(asked.message)));
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('at most 10 webhook endpoints')]);
    const list = await site.open(person, LIST);
    expect([list.text.includes('the most an account can have'), list.html.includes(NEW)]).toEqual([true, false]);
  });

  it('is changed at once, and moved only by a wallet', async () => {
    const { person, accountId, page } = await owner('/before');
    const changed = await site.send(person, `${page}/change`, '/change', { description: 'Night', type: 'task.opened' });
    expect([changed.url.pathname, changed.text]).toEqual([page, expect.stringContaining('The endpoint is changed.')]);
    expect(await rowsOf(accountId)).toMatchObject([{ description: 'Night', types: ['task.opened'] }]);

    const asked = await site.send(person, `${page}/change`, '/change', { url: urlOf('/after'), description: '' });
    const wrong = shown(await person.answer(asked, await randomWallet().signMessage(asked.message)));
    expect([wrong.status, (await rowsOf(accountId))[0]!.url]).toEqual([400, urlOf('/before')]);
    const moved = await site.confirm(person, `${page}/change`, '/change', { url: urlOf('/after'), description: '' });
    expect(moved.text).toContain('The endpoint is changed.');
    expect(await rowsOf(accountId)).toMatchObject([
      { url: urlOf('/after'), description: null, types: ['task.opened'] },
    ]);
    const refused = await site.send(person, `${page}/change`, '/change', { url: 'https://10.0.0.1/' });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('id="webhook-url-fault"')]);
    expect(await site.eventsOf(accountId)).toContain('webhook_endpoint_changed');
  });

  it('gets a new secret that is shown once, and both sign', async () => {
    const { person, id, page, secret, accountId } = await owner('/rotated');
    const made = await site.confirm(person, page, '/secret');
    const [next = ''] = secretsOn(made);
    expect([next === secret, made.text]).toEqual([false, expect.stringContaining('we sign with the previous secret')]);
    const later = await site.open(person, page);
    expect([secretsOn(later), later.text]).toEqual([[], expect.stringContaining('Previous secret Valid until')]);
    await site.send(person, page, '/test');
    await tried(id, 1);
    const { body, headers } = receiver.at('/rotated').at(-1)!;
    for (const one of [secret, next]) expect(new Webhook(one).verify(body, headers as never)).toBeTruthy();
    expect(await site.eventsOf(accountId)).toContain('webhook_secret_replaced');
  });

  it('is turned off and on, with or without what it missed', async () => {
    const { person, accountId, id, page } = await owner('/switched');
    const off = await site.send(person, page, '/disable');
    expect(off.text).toMatch(/Off since .*: you turned it off/);
    const missed = await record(accountId);
    await site.send(person, page, '/enable', { catch_up: null });
    const after = await record(accountId);
    await tried(id, 1);
    expect(receiver.idsAt('/switched')).toEqual([after]);
    const caughtUp = await site.open(person, page);
    expect(caughtUp.text).toContain('Missed Everything since');
    await site.send(person, page, '/disable');
    const again = await site.send(person, page, '/enable', { catch_up: 'yes' });
    expect(again.text).toContain('We are sending what it missed.');
    await eventually(() => receiver.idsAt('/switched').includes(missed));
    expect((await site.open(person, page)).text).not.toContain('Missed');
    const events = (await site.eventsOf(accountId)).filter((event) => event.startsWith('webhook_endpoint_'));
    expect(events.toSorted()).toEqual([
      'webhook_endpoint_created',
      'webhook_endpoint_disabled',
      'webhook_endpoint_disabled',
      'webhook_endpoint_enabled',
      'webhook_endpoint_enabled',
    ]);
  });

  it('that is off sends nothing again, whatever an open page asks for', async () => {
    const { person, page } = await owner();
    const open = await site.open(person, page);
    await site.send(person, page, '/disable');
    for (const [ending, values] of [
      ['/test', {}],
      ['/failed', {}],
      ['/since', { since: '2026-11-01T00:00' }],
    ] as const) {
      const answer = shown(await person.submit(open, open.form(ending), values));
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('is disabled')]);
    }
  });

  it('is deleted by a page that asks', async () => {
    const { person, accountId, page } = await owner();
    const asks = await site.open(person, `${page}/delete`);
    expect(asks.text).toContain('You cannot undo this.');
    const deleted = shown(await person.submit(asks, asks.form('/delete')));
    expect([deleted.url.pathname, deleted.text]).toEqual([LIST, expect.stringContaining('The endpoint is deleted.')]);
    expect([await rowsOf(accountId), (await site.open(person, page)).status]).toEqual([[], 404]);
    expect(shown(await person.submit(asks, asks.form('/delete'))).status).toBe(404);
    expect(await site.eventsOf(accountId)).toContain('webhook_endpoint_deleted');
  });
});

describe('attempts', () => {
  it('are shown page by page, the newest first', async () => {
    const { person, accountId, id, page } = await owner();
    await site.oauth.rows(
      `INSERT INTO webhook_attempts SELECT 'wha_' || lpad(n::text, 26, '0'), $1, $2, 'evt_gone', now(), 200, null, 1, ''
         FROM generate_series(1, 27) n`,
      [id, accountId],
    );
    const links = ({ html }: HtmlPage): string[] => html.match(/attempts\/wha_\d+/g) ?? [];
    const first = await site.open(person, page);
    expect([links(first).length, links(first)[0]]).toEqual([25, `attempts/wha_${'27'.padStart(26, '0')}`]);
    const [, older] = /href="([^"]*\?cursor=[^"]+)"/.exec(first.html) ?? [];
    const second = await site.open(person, older!.replaceAll('&amp;', '&'));
    expect([links(second).length, second.html.includes('?cursor=')]).toEqual([2, false]);
    const gone = await site.open(person, `${page}/${links(second)[0]}`);
    expect([gone.text.includes('The event is too old'), gone.has('/replay')]).toEqual([true, false]);
    for (const cursor of ['x', encodeURIComponent('"><script>')]) {
      expect((await site.open(person, `${page}?cursor=${cursor}`)).status).toBe(400);
    }
    // The cursor of one endpoint is not good for another.
    const other = await owner();
    const cursor = new URL(older!.replaceAll('&amp;', '&'), first.url).search;
    expect((await site.open(other.person, other.page + cursor)).status).toBe(400);
  });

  it('show what was sent and what was answered as text, and an event is sent again', async () => {
    const { person, accountId, id, page } = await owner('/hostile');
    receiver.answers.set('/hostile', (response) => response.writeHead(500).end(HOSTILE));
    const eventId = await record(accountId);
    await tried(id, 1);
    const attemptId = await firstAttempt(id);
    const list = await site.open(person, page);
    expect(list.text).toMatch(/agent\.updated evt_\w+ Refused \(500\), \d+ ms/);
    expect(list.text).toContain('One event that failed');
    const attempt = await site.open(person, `${page}/attempts/${attemptId}`);
    expect(attempt.html).not.toMatch(/<script|\u202E|\u200B/);
    expect(attempt.html).toContain(
      '&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}cod.exe\\u{200b}\nsecond',
    );
    expect(attempt.text).toContain(receiver.at('/hostile')[0]!.body);
    expect(attempt.headers.get('content-security-policy')).toContain("default-src 'none'");

    receiver.say('/hostile', 204);
    const form = attempt.form('/replay');
    const foreign = shown(await person.submit(attempt, form, { event_id: 'evt_00000000000000000000000000' }));
    expect(foreign.status).toBe(404);
    const sent = shown(await person.submit(attempt, form));
    expect(sent.text).toContain('We are sending again.');
    await eventually(() => receiver.idsAt('/hostile').length === 2);
    expect(receiver.idsAt('/hostile')).toEqual([eventId, eventId]);
    await tried(id, 2);
    expect((await site.open(person, page)).text).toContain('Taken (204)');
  });

  it('that failed are made again together, and everything since a time', async () => {
    const { person, accountId, id, page } = await owner('/again');
    expect((await site.send(person, page, '/failed')).text).toContain('Nothing has failed');
    receiver.say('/again', 503);
    const events = [await record(accountId), await record(accountId)];
    await tried(id, 2);
    receiver.say('/again', 200);
    await site.send(person, page, '/failed');
    await eventually(() => receiver.idsAt('/again').length >= 4);
    expect(receiver.idsAt('/again').slice(2)).toEqual(events);
    await tried(id, 4);
    const since = new Date(Date.now() - 600_000).toISOString();
    for (const form of [since.slice(0, 16), since.slice(0, 19)]) {
      const before = receiver.at('/again').length;
      await site.send(person, page, '/since', { since: form });
      await eventually(() => receiver.idsAt('/again').slice(before).includes(events[1]!));
    }
    for (const wrong of ['', 'yesterday', '2026-02-30T10:00', '2026-11-20T12:55:00Z', '2999-01-01T00:00']) {
      const refused = await site.send(person, page, '/since', { since: wrong });
      expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('id="again-since-fault"')]);
    }
  });
});

it('one whose server says that it is gone is told on the overview, and made good by one click', async () => {
  const { person, accountId, id, page } = await owner('/gone', { description: '<i>Ledger</i>' });
  expect((await site.open(person, '/account')).text).not.toContain('is off');
  receiver.say('/gone', 410);
  const missed = await record(accountId);
  await eventually(async () => (await rowsOf(accountId))[0]!.status === 'disabled');
  const overview = await site.open(person, '/account');
  expect(overview.html).toContain('The webhook endpoint <bdi>&lt;i&gt;Ledger&lt;/i&gt;</bdi> is off');
  expect(overview.text).toMatch(/its server said that the address is gone \(status 410\)\. It misses events since/);
  expect((await site.open(person, LIST)).has(`${id}/enable`)).toBe(true);
  receiver.say('/gone', 200);
  const on = shown(await person.submit(overview, overview.form(`${id}/enable`)));
  expect([on.url.pathname, on.text]).toEqual([page, expect.stringContaining('We are sending what it missed.')]);
  await eventually(() => receiver.idsAt('/gone').filter((event) => event === missed).length === 2);
  expect((await site.open(person, '/account')).text).not.toContain('is off');
});

describe('one that a program made', () => {
  async function programs() {
    const { person, accountId } = await site.signedIn();
    const { key } = await site.oauth.get(ApiKeysService).create(accountId, { scope: 'read', name: 'night <b>shift' });
    const now = Date.now();
    const grant: OAuthGrantEntity = {
      id: randomUUID(),
      accountId,
      clientId: 'https://assistant.example/client.json',
      clientName: '<b>Helper</b>\u202e',
      clientHost: null,
      scopes: ['read'],
      fundingCap: null,
      createdAt: new Date(now),
      expiresAt: new Date(now + 86_400_000),
      lastUsedAt: null,
      revokedAt: null,
    };
    await site.oauth.dataSource.getRepository(OAuthGrantEntity).insert(grant);
    const make = async (credentialId: string) => {
      const by = { accountId, credentialId, auditId: null };
      const { endpoint } = await site.oauth.get(WebhookEndpointsService).create(by, { url: urlOf('/program') });
      return `${LIST}/${endpoint.id}`;
    };
    return { person, accountId, keyId: key.id, ofKey: await make(key.id), ofApp: await make(grant.id) };
  }

  it('is shown with the name of its key or application', async () => {
    const { person, accountId, keyId } = await programs();
    const list = await site.open(person, LIST);
    expect(list.html).toContain('The API key “<bdi>night &lt;b&gt;shift</bdi>”');
    expect(list.html).toContain('The application <bdi>&lt;b&gt;Helper&lt;/b&gt;\\u{202e}</bdi>');
    await site.oauth.get(ApiKeysService).revokeOwn(accountId, keyId);
    expect((await site.open(person, LIST)).text).toContain('A program whose access has ended');
  });

  it('is turned off and deleted by the person, who neither moves it nor sees a secret of it', async () => {
    const { person, accountId, ofKey, ofApp } = await programs();
    const own = await site.confirm(person, NEW, LIST, { url: urlOf('/own') });
    expect(secretsOn(own)).toHaveLength(1);
    const { id } = (await rowsOf(accountId)).find(({ credential_id: by }) => by === null)!;
    for (const path of [ofKey, ofApp]) {
      const page = await site.open(person, path);
      expect([page.has('/secret'), page.html.includes('/change"')]).toEqual([false, false]);
      expect((await site.open(person, `${path}/change`)).status).toBe(409);
      // The forms of the person's own endpoint, sent to that of the program.
      for (const [from, ending, values] of [
        [`${LIST}/${id}/change`, '/change', { url: urlOf('/thief') }],
        [`${LIST}/${id}`, '/secret', {}],
      ] as const) {
        const opened = await site.open(person, from);
        const form = opened.form(ending);
        const turned = { ...form, action: new URL(`${path}${ending}`, form.action) };
        const refused = shown(await person.submit(opened, turned, values));
        expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('A program made this endpoint')]);
      }
      const off = (await site.send(person, path, '/disable')).text;
      expect(off).toContain('The endpoint is off.');
      expect(off).toContain('To stop it for good, revoke its key or application.');
      await site.send(person, `${path}/delete`, '/delete');
    }
    expect((await rowsOf(accountId)).map((row) => row.id)).toEqual([id]);
  });
});

describe('for somebody else', () => {
  it('no endpoint is there, by any address or form', async () => {
    const mine = await owner('/mine');
    await record(mine.accountId);
    await tried(mine.id, 1);
    const attemptId = await firstAttempt(mine.id);
    const other = await owner('/other');
    await record(other.accountId);
    await tried(other.id, 1);
    const otherAttempt = await firstAttempt(other.id);
    for (const path of ['', '/change', '/delete', `/attempts/${attemptId}`]) {
      expect([path, (await site.open(other.person, mine.page + path)).status]).toEqual([path, 404]);
    }
    // An attempt of mine below an endpoint of the other's own.
    expect((await site.open(other.person, `${other.page}/attempts/${attemptId}`)).status).toBe(404);
    const pages = [
      other.page,
      `${other.page}/change`,
      `${other.page}/delete`,
      `${other.page}/attempts/${otherAttempt}`,
    ];
    const before = await rowsOf(mine.accountId);
    const tryAll = async () => {
      for (const page of await Promise.all(pages.map((path) => site.open(other.person, path)))) {
        for (const form of page.forms.filter(({ action }) => action.pathname.includes(other.id))) {
          const turned = { ...form, action: new URL(form.action.href.replace(other.id, mine.id)) };
          const answer = shown(await other.person.submit(page, turned, { since: '2026-11-01T00:00' }));
          expect([turned.action.pathname, answer.status]).toEqual([turned.action.pathname, 404]);
        }
      }
    };
    await tryAll();
    await site.send(other.person, other.page, '/disable');
    await tryAll();
    expect(await rowsOf(mine.accountId)).toEqual(before);
    expect((await site.open(other.person, LIST)).html).not.toContain(mine.id);
  });

  it('no form is good without its token, from another origin, or in another session', async () => {
    const mine = await owner();
    const headers = { Origin: site.oauth.url };
    const elsewhere = new Person(site.oauth.url, mine.person.wallet);
    await elsewhere.signInToAccount();
    const pages = [NEW, mine.page, `${mine.page}/change`, `${mine.page}/delete`];
    const before = await rowsOf(mine.accountId);
    for (const page of await Promise.all(pages.map((path) => site.open(mine.person, path)))) {
      for (const form of page.forms.filter(({ action }) => action.pathname.startsWith(LIST))) {
        const body = new URLSearchParams([
          ...form.fields.map(({ name, value }): [string, string] => [name, value]),
          ['url', urlOf('/x')],
        ]);
        const bare = new URLSearchParams([...body].filter(([name]) => name !== 'form_token'));
        const sent = [
          await mine.person.request(form.action, { method: 'POST', body: bare, headers }),
          await mine.person.request(form.action, { method: 'POST', body, headers: { Origin: 'https://evil.example' } }),
          await elsewhere.request(form.action, { method: 'POST', body, headers }),
        ];
        expect([form.action.pathname, sent.map(({ status }) => status)]).toEqual([
          form.action.pathname,
          [400, 400, 400],
        ]);
      }
    }
    expect(await rowsOf(mine.accountId)).toEqual(before);
  });

  it('with a stolen session and without the wallet, nothing is sent to a new place and no secret is shown', async () => {
    const { person, accountId, page } = await owner('/stolen');
    const thief = new Person(site.oauth.url, randomWallet(), person.jar.copy());
    const before = await rowsOf(accountId);
    for (const [path, ending] of [
      [NEW, LIST],
      [`${page}/change`, '/change'],
      [page, '/secret'],
    ] as const) {
      const asked = await site.send(thief, path, ending, ending === '/secret' ? {} : { url: urlOf('/thief') });
      const answer = shown(await thief.answer(asked, await thief.sign(asked.message)));
      expect([path, answer.status, secretsOn(answer)]).toEqual([path, 400, []]);
    }
    expect(await rowsOf(accountId)).toEqual(before);
  });
});
