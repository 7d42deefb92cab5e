import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { shown } from '../../support/oauth/person.js';
import { ask, codeOf, type Principal, SigningFixture } from '../../support/signing-fixture.js';

/** What a credential may learn of an action and do with it, and who may see a transaction that no chain knows. */
const HASH = `0x${'ab'.repeat(32)}`;
const HINT_MS = 120_000;
const AFTER_EXPIRY_MS = 901_000;

type Headers = Record<string, string>;

let fixture: SigningFixture;
let ada: Principal;
let bob: Principal;
let rows: AccessTokenRows;
/** Headers of callers who have only the scope `read`, in each way in which they can come. */
let readers: [name: string, headers: Headers][];
let strangers: [name: string, headers: Headers][];

beforeAll(async () => {
  fixture = await SigningFixture.start();
  [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  rows = new AccessTokenRows((text, values) => fixture.service.rows(text, values), fixture.service.url);
  const token = async ({ accountId }: Principal): Promise<Headers> => {
    const issued = await rows.issue(accountId, { scopes: ['read'] });
    return { Authorization: `Bearer ${issued.token}` };
  };
  readers = [
    ['a read key', { 'X-Api-Key': ada.keys.read }],
    ['a read token', await token(ada)],
  ];
  strangers = [
    ["a stranger's read key", { 'X-Api-Key': bob.keys.read }],
    ["a stranger's read token", await token(bob)],
    ["a stranger's buyer key", { 'X-Api-Key': bob.keys.buyer }],
  ];
});
afterAll(() => fixture?.stop());
afterEach(() => {
  fixture.clock.aheadMs = 0;
  fixture.rpc.mode = 'pass';
});

async function get(path: string, headers: Headers): Promise<{ status: number; text: string; body: any }> {
  const answer = await fetch(`${fixture.service.url}${path}`, { headers });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}

async function post(path: string, headers: Headers, body: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${fixture.service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const pathOf = ({ action_id: id }: any): string => `/v1/actions/${id}`;
const tokenOf = ({ signing_url: url }: any): string => new URL(url).pathname.split('/').at(-1)!;
const asBuyer = (who: Principal): Headers => ({ 'X-Api-Key': who.keys.buyer });
const statusOf = async (action: any, who = ada): Promise<string> =>
  (await get(pathOf(action), { 'X-Api-Key': who.keys.read })).body.status;

/** Every row that acting on an action changes. */
async function traces({ action_id: id }: any): Promise<unknown> {
  const [action] = await fixture.service.rows('SELECT * FROM prepared_actions WHERE id = $1', [id]);
  const claims = await fixture.service.rows('SELECT * FROM signing_claims WHERE action_id = $1', [id]);
  const links = await fixture.service.rows('SELECT * FROM signing_extra_links WHERE action_id = $1', [id]);
  return { action, claims, links };
}

describe('a credential that has not the scope that prepared the action', () => {
  it('reads what it is and what has become of it, and nothing by which one could act on it', async () => {
    const creation = await fixture.publication(ada);
    const payment = await fixture.payment(ada, bob);
    const signature = await signTypedData(ada.wallet, payment.payload);
    const handedIn = await post(`${pathOf(payment)}/submissions`, asBuyer(ada), { signature });
    expect(handedIn.body.transaction.data).toContain(signature.slice(2));
    // Its calls contain what others have signed: the creation, the selection and the quote.
    const direct = await fixture.call(ada.keys.buyer, `/v1/tasks/${payment.task_id}/funding-intents`, {
      funding_mode: 'allowance',
    });
    expect(Object.keys(direct.payload)).toContain('calls');
    for (const [name, headers] of readers) {
      for (const action of [creation, payment, direct]) {
        const { status, body, text } = await get(pathOf(action), headers);
        expect([name, status, body.kind, body.action_id]).toEqual([name, 200, action.kind, action.action_id]);
        for (const member of ['signing_url', 'transaction', 'valid_until', 'match_code'])
          expect(body).not.toHaveProperty(member);
        expect(Object.keys(body.payload).sort()).not.toEqual(expect.arrayContaining(['calls']));
        expect(body.payload).not.toHaveProperty('transaction');
        expect(body.payload.message).toEqual(action.payload.message);
        expect(text).not.toContain(tokenOf(action));
        expect(text).not.toContain(signature.slice(2));
        for (const call of action.payload.calls ?? []) expect(text).not.toContain(call.data.slice(2));
      }
    }
  });

  it('is told by no other address either', async () => {
    const payment = await fixture.payment(ada, bob);
    const signature = await signTypedData(ada.wallet, payment.payload);
    await post(`${pathOf(payment)}/submissions`, asBuyer(ada), { signature });
    const [quote] = await fixture.service.rows<{ id: string; agent_id: string }>(
      'SELECT id, agent_id FROM quotes WHERE task_id = $1',
      [payment.task_id],
    );
    const ids: Record<string, string> = {
      action_id: payment.action_id,
      task_id: payment.task_id,
      node_id: payment.node_id,
      agent_id: quote!.agent_id,
    };
    const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
    // A stream does not end, and tells what the list of events does.
    const isRead = (path: string): boolean => document.paths[path].get !== undefined && !path.endsWith('/stream');
    const paths = Object.keys(document.paths).filter(isRead);
    let answered = 0;
    for (const template of paths) {
      const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? quote!.id);
      for (const [name, headers] of [...readers, ...strangers]) {
        const { status, text } = await get(path, headers);
        answered += status === 200 ? 1 : 0;
        expect([name, path, text.includes(tokenOf(payment)), text.includes(signature.slice(2))]).toEqual([
          name,
          path,
          false,
          false,
        ]);
      }
    }
    expect(answered).toBeGreaterThan(20);
  });

  it('cannot claim a link, decline, renew or submit, whatever it sends along', async () => {
    const action = await fixture.publication(ada);
    const signature = await signTypedData(ada.wallet, action.payload);
    const before = await traces(action);
    for (const [, headers] of readers) {
      for (const body of [{ transaction_hash: HASH }, { signature }]) {
        const { status, body: answer } = await post(`${pathOf(action)}/submissions`, headers, body);
        expect([status, answer.error.code]).toEqual([403, 'insufficient_scope']);
      }
    }
    for (const [, headers] of strangers) {
      const { status } = await post(`${pathOf(action)}/submissions`, headers, { transaction_hash: HASH });
      expect(status).toBe(404);
    }
    const browser = fixture.browser();
    const routes = ['', '/document', '/progress', '/simulation'];
    const forms = ['/claim', '/challenge', '/take-over', '/decline', '/renew', '/link', '/submission'];
    for (const [, headers] of readers) {
      // These callers know only the action's id, which is not its link.
      for (const route of routes) {
        expect((await get(`/sign/${action.action_id}${route}`, headers)).status).toBe(404);
      }
      for (const route of forms) {
        const url = `${fixture.service.url}/sign/${action.action_id}${route}`;
        const answer = await ask(browser, url, { body: { transaction_hash: HASH }, headers });
        expect([route, answer.status >= 400 && answer.status < 500]).toEqual([route, true]);
      }
    }
    for (const [, headers] of [...readers, ...strangers]) {
      // A credential cannot take the place of the browser in which the action is open.
      for (const route of ['/document', '/progress', '/simulation']) {
        expect(codeOf(await ask(browser, action.signing_url + route, { headers }))).toBe('claim_required');
      }
      for (const route of ['/decline', '/renew', '/link', '/submission']) {
        const answer = await ask(browser, action.signing_url + route, { body: { transaction_hash: HASH }, headers });
        expect([route, codeOf(answer)]).toEqual([route, 'claim_required']);
      }
    }
    expect(await traces(action)).toEqual(before);
  });
});

describe('a credential that has the scope', () => {
  it('reads the link, the call and the match code, be it a key or a token', async () => {
    const action = await fixture.payment(ada, bob);
    const { body: signed } = await post(`${pathOf(action)}/submissions`, asBuyer(ada), {
      signature: await signTypedData(ada.wallet, action.payload),
    });
    const { token } = await rows.issue(ada.accountId, { scopes: ['read', 'buyer'] });
    for (const headers of [{ Authorization: `Bearer ${token}` }]) {
      const { body } = await get(pathOf(action), headers);
      expect(body.signing_url).toBe(action.signing_url);
      expect(body.transaction).toEqual(signed.transaction);
      expect(body.valid_until).toBe(signed.valid_until);
      expect(body.payload).toEqual(action.payload);
      expect(body.match_code).toBe(action.match_code);
    }
  });

  it('is told the code that the approval page shows, already when it prepares', async () => {
    const action = await fixture.publication(ada);
    expect(action.match_code).toMatch(/^[A-Z]+ [A-Z]+ [0-9]{2}$/);
    const { page } = await fixture.open(action);
    expect(page.text).toContain(`Match code ${action.match_code}`);
  });

  it('reads what `read` prepared by `read`', async () => {
    const [row] = await fixture.service.rows<{ scope: string }>(
      "SELECT scope FROM prepared_actions WHERE kind = 'claim_non_delivery' LIMIT 1",
    );
    // This fixture has no such action, so another action is given the scope.
    expect(row).toBeUndefined();
    const action = await fixture.publication(ada);
    await fixture.service.rows("UPDATE prepared_actions SET scope = 'read' WHERE id = $1", [action.action_id]);
    const headersOfReaders = readers.map(([, headers]) => headers);
    for (const headers of headersOfReaders) {
      expect((await get(pathOf(action), headers)).body.signing_url).toBe(action.signing_url);
    }
    expect((await get(pathOf(action), asBuyer(ada))).status).toBe(403);
  });
});

describe('a transaction that the chain does not know', () => {
  const handIn = (action: any, body: object = { transaction_hash: HASH }) =>
    post(`${pathOf(action)}/submissions`, asBuyer(ada), body);

  it('does not keep anybody from opening, signing or declining the action', async () => {
    const [one, two] = [await fixture.publication(ada), await fixture.publication(ada)];
    for (const action of [one, two]) expect((await handIn(action)).body.status).toBe('unknown');
    const { browser, page } = await fixture.open(one);
    expect(page.has('/decline')).toBe(true);
    expect(page.text).toContain(HASH);
    expect(page.text).not.toContain('Already signed');
    const signature = await signTypedData(ada.wallet, one.payload);
    expect((await ask(browser, `${one.signing_url}/submission`, { body: { signature } })).status).toBe(200);
    const [task] = await fixture.service.rows('SELECT status FROM tasks WHERE id = $1', [one.task_id]);
    expect(task).toEqual({ status: 'open' });
    const { browser: second } = await fixture.open(two);
    expect((await ask(second, `${two.signing_url}/decline`, { body: {} })).body).toEqual({ status: 'declined' });
    expect(await statusOf(two)).toBe('declined');
  });

  it('is a hint for two minutes, and then nothing is said of it', async () => {
    const action = await fixture.publication(ada);
    await handIn(action);
    const read = async () => (await get(pathOf(action), { 'X-Api-Key': ada.keys.read })).body;
    expect(await read()).toMatchObject({ status: 'unknown', transaction_hash: HASH });
    fixture.clock.aheadMs = HINT_MS + 1_000;
    const later = await read();
    expect(later.status).toBe('prepared');
    expect(later).not.toHaveProperty('transaction_hash');
    expect((await handIn(action, { transaction_hash: `0x${'cd'.repeat(32)}` })).body).toMatchObject({
      status: 'unknown',
      transaction_hash: `0x${'cd'.repeat(32)}`,
    });
  });

  it('ends when the action does: it is renewed at once', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS - 5_000;
    await handIn(action);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    expect(await statusOf(action)).toBe('expired');
    expect((await ask(browser, `${action.signing_url}/renew`, { body: {} })).status).toBe(200);
  });

  it('says nothing of the task, whose selection can be changed, unless a signature says more', async () => {
    const taskStatus = async ({ task_id: id }: any): Promise<string> =>
      (await get(`/v1/tasks/${id}`, { 'X-Api-Key': ada.keys.read })).body.status;
    const [hinted, signed] = [
      await fixture.payment(ada, bob),
      await fixture.payment(ada, await fixture.principal('Cara')),
    ];
    await handIn(signed, { signature: await signTypedData(ada.wallet, signed.payload) });
    for (const action of [hinted, signed]) await handIn(action);
    expect([await taskStatus(hinted), await taskStatus(signed)]).toEqual(['selected', 'funding_pending']);
    expect([await statusOf(hinted), await statusOf(signed)]).toEqual(['unknown', 'unknown']);
    fixture.clock.aheadMs = HINT_MS + 1_000;
    expect([await taskStatus(hinted), await taskStatus(signed)]).toEqual(['selected', 'funding_pending']);
    expect([await statusOf(hinted), await statusOf(signed)]).toEqual(['prepared', 'signed']);
  });

  it('does not end the funding that a signature has begun, handed in for another payment of the same task', async () => {
    const signed = await fixture.payment(ada, await fixture.principal('Dora'));
    const second = await fixture.call(ada.keys.buyer, `/v1/tasks/${signed.task_id}/funding-intents`);
    await handIn(signed, { signature: await signTypedData(ada.wallet, signed.payload) });
    expect((await handIn(second)).body.status).toBe('unknown');
    fixture.clock.aheadMs = HINT_MS + 1_000;
    const { body } = await get(`/v1/tasks/${signed.task_id}`, { 'X-Api-Key': ada.keys.read });
    expect(body.status).toBe('funding_pending');
  });

  it('keeps nobody from declining while the chain cannot be asked', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    await handIn(action);
    fixture.rpc.mode = 'refuse';
    expect((await ask(browser, `${action.signing_url}/decline`, { body: {} })).status).toBe(200);
  });
});

describe('who declined', () => {
  const declinedBy = async (action: any) => {
    const { body } = await get(pathOf(action), { 'X-Api-Key': ada.keys.read });
    const [event] = await fixture.service.rows<{ detail: any }>(
      "SELECT detail FROM audit_events WHERE event = 'action_declined' AND credential_id = $1",
      [action.action_id],
    );
    return [body.status, body.declined_by, event?.detail.by];
  };

  it('is whoever opened the link, where nobody has proved to be anybody', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    await ask(browser, `${action.signing_url}/decline`, { body: {} });
    expect(await declinedBy(action)).toEqual(['declined', 'link', 'link']);
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).toContain('in the browser that opened its link');
    expect(page.text).not.toMatch(/you declined/i);
    expect((await ask(browser, `${action.signing_url}/document`)).body.declined_by).toBe('link');
  });

  it('is the wallet, where it was proved', async () => {
    const action = await fixture.publication(ada);
    await fixture.open(action);
    const browser = fixture.browser(ada.wallet);
    const page = shown(await browser.signIn(shown(await browser.open(action.signing_url))));
    expect(page.html).toContain('id="approval"');
    await ask(browser, `${action.signing_url}/decline`, { body: {} });
    expect(await declinedBy(action)).toEqual(['declined', 'wallet', 'wallet']);
    expect(shown(await browser.open(action.signing_url)).text).toContain('proved the wallet');
  });

  it('is the account, where its person is signed in; and its activity says which it was', async () => {
    const action = await fixture.publication(ada);
    const browser = fixture.browser(ada.wallet);
    await browser.signInToAccount();
    await ask(browser, `${action.signing_url}/decline`, { body: {} });
    expect(await declinedBy(action)).toEqual(['declined', 'account', 'account']);
    const activity = shown(await browser.open(`${fixture.service.url}/account/activity`));
    expect(activity.text).toContain('You declined a request to sign.');
    expect(activity.text).toContain('A request to sign was declined in the browser that opened its link.');
    expect(activity.text).toContain('A request to sign was declined in a browser that had proved the wallet.');
  });

  it('is a program, over the interface; and the page and the activity say so', async () => {
    const action = await fixture.publication(ada);
    const { browser } = await fixture.open(action);
    expect((await decline(action)).status).toBe(200);
    expect(await declinedBy(action)).toEqual(['declined', 'credential', 'credential']);
    expect(shown(await browser.open(action.signing_url)).text).toContain('by a program, with a credential');
    expect((await ask(browser, `${action.signing_url}/document`)).body.declined_by).toBe('credential');
    const person = fixture.browser(ada.wallet);
    await person.signInToAccount();
    const activity = shown(await person.open(`${fixture.service.url}/account/activity`));
    expect(activity.text).toContain('A request to sign was declined by a program');
  });
});

const decline = (action: any, headers = asBuyer(ada)) => post(`${pathOf(action)}/declines`, headers, {});

describe('declining over the interface', () => {
  const events = async (action: any): Promise<string[]> => {
    const { body } = await get(`/v1/events?task_id=${action.task_id}`, { 'X-Api-Key': ada.keys.read });
    return body.data.filter(({ subject }: any) => subject.id === action.action_id).map(({ type }: any) => type);
  };

  it('lets nobody sign any more, can be said again, and is told once', async () => {
    const action = await fixture.publication(ada);
    const first = await decline(action);
    expect([first.status, first.body.status]).toEqual([200, 'declined']);
    expect(first.body).toMatchObject({ action_id: action.action_id, declined_by: 'credential' });
    expect(first.body.transaction).toBeUndefined();
    expect(await decline(action)).toEqual(first);
    const signature = await signTypedData(ada.wallet, action.payload);
    const late = await post(`${pathOf(action)}/submissions`, asBuyer(ada), { signature });
    expect([late.status, late.body.error.code]).toEqual([409, 'state_conflict']);
    await eventually(async () => (await events(action)).length > 1);
    expect(await events(action)).toEqual(['action.prepared', 'action.declined']);
  });

  it('is for the scope that prepared the action alone, and nobody else learns that there is one', async () => {
    const action = await fixture.publication(ada);
    const before = await traces(action);
    for (const [name, headers] of [...readers, ['a worker key', { 'X-Api-Key': ada.keys.worker }] as const]) {
      const { status, body } = await decline(action, headers);
      expect([name, status, body.error.code]).toEqual([name, 403, 'insufficient_scope']);
    }
    const stranger = await decline(action, asBuyer(bob));
    const absent = await decline({ action_id: `act_${'0'.repeat(26)}` });
    expect([stranger.status, stranger.body.error.code]).toEqual([404, 'not_found']);
    expect(absent.body.error.reason).toBe(stranger.body.error.reason);
    expect(await traces(action)).toEqual(before);
  });

  it('comes too late after signing, and says how the wallet can end it', async () => {
    const action = await fixture.publication(ada);
    const signature = await signTypedData(ada.wallet, action.payload);
    await post(`${pathOf(action)}/submissions`, asBuyer(ada), { signature });
    const { status, body } = await decline(action);
    expect([status, body.error.code]).toEqual([409, 'state_conflict']);
    expect(body.error.suggestion).toContain('invalidateNonces');
    expect(await statusOf(action)).toBe('signed');
  });

  it('comes too late once its time is over', async () => {
    const action = await fixture.publication(ada);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    const { status, body } = await decline(action);
    expect([status, body.error.reason]).toEqual([409, 'The action has expired.']);
  });

  it('is kept from nobody by a transaction that no chain knows', async () => {
    const action = await fixture.publication(ada);
    await post(`${pathOf(action)}/submissions`, asBuyer(ada), { transaction_hash: HASH });
    expect((await decline(action)).body).toMatchObject({ status: 'declined', transaction_hash: HASH });
    expect((await decline(action)).body).toMatchObject({ status: 'declined' });
  });

  it.each([
    ['a signature', async (action: any) => ({ signature: await signTypedData(ada.wallet, action.payload) }), 'signed'],
    ['a transaction', async () => ({ transaction_hash: HASH }), 'unknown'],
  ])('and %s at the same moment end in one of both', async (_what, made, otherwise) => {
    for (let round = 0; round < 5; round += 1) {
      const action = await fixture.publication(ada);
      const submission = await made(action);
      const [no, yes] = await Promise.all([
        decline(action),
        post(`${pathOf(action)}/submissions`, asBuyer(ada), submission),
      ]);
      const isDeclined = no.status === 200;
      // A hash that no chain knows is a hint: it may be taken first, and be declined all the same.
      const both = otherwise === 'unknown' && isDeclined ? [200, yes.status] : [200, 409];
      expect([no.status, yes.status].toSorted((one, other) => one - other)).toEqual(both);
      expect(await statusOf(action)).toBe(isDeclined ? 'declined' : otherwise);
    }
  });
});
