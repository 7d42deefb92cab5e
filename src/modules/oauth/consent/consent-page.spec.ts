import { NO_TYPED_LIMITS } from '../../credentials/spending/spend-limit-fields.js';
import { NO_LIMITS } from '../../credentials/spending/spend-limits.js';
import { type Scope, SCOPES } from '../../credentials/scope.js';
import { type ConsentPage, consentPage } from './consent-page.js';
import { SCOPE_WORDS } from './scope-copy.js';

const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const VERIFIED = {
  name: 'Claude',
  host: 'claude.ai',
  isKnown: true,
  redirectHost: 'claude.ai',
  redirectsToLoopback: false,
};
const UNVERIFIED = { ...VERIFIED, name: 'My helper', host: null, isKnown: false, redirectHost: 'helper.example' };
const LOOPBACK = { ...UNVERIFIED, redirectHost: '127.0.0.1:8123', redirectsToLoopback: true };

function page(own: Partial<ConsentPage> = {}): string {
  return consentPage({
    displayName: 'Tasktree',
    baseUrl: 'https://market.example/tasks',
    base: '/tasks/oauth/interaction/uid',
    client: VERIFIED,
    account: { name: 'Ada', walletAddress: WALLET },
    scopes: SCOPES,
    chosen: SCOPES,
    limits: NO_TYPED_LIMITS,
    earlier: null,
    grantDays: 90,
    formToken: 'allow-token',
    cancelToken: 'cancel-token',
    ...own,
  });
}

/** The visible text of a page. */
function textOf(html: string): string {
  return html
    .replace(/<head[\s\S]*<\/head>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

function boxesOf(html: string): [scope: string, isTicked: boolean][] {
  return [...html.matchAll(/<input type="checkbox" name="scope"\s+value="([^"]*)"( checked)?/g)].map(
    ([, scope = '', checked]) => [scope, checked !== undefined],
  );
}

it('names the account with the whole address, and how to use another one', () => {
  expect(textOf(page())).toContain(WALLET);
  expect(textOf(page())).toContain('Ada');
  expect(page()).toContain('href="/tasks/oauth/interaction/uid?wallet=other"');
});

it('says that money never moves without the wallet, how long it lasts and where to take it back', () => {
  expect(textOf(page())).toContain('It can never sign or move money. You confirm every action in your wallet.');
  expect(textOf(page())).toContain('after 90 days');
  expect(page()).toContain('href="/tasks/account/apps"');
});

it('says where the document lies, and that nobody has verified the name unless the operator knows that host', () => {
  expect(textOf(page())).toContain('its document is at claude.ai');
  expect(textOf(page())).not.toMatch(/verified/);
  const text = textOf(page({ client: UNVERIFIED }));
  expect(text).toContain('unverified name');
  expect(text).toContain('Nobody has verified this name');
  expect(text).toContain('You will return to helper.example');
  const anywhere = textOf(page({ client: { ...VERIFIED, host: 'files.example', isKnown: false } }));
  expect(anywhere).toContain('its document is at files.example');
  expect(anywhere).toContain('Nobody has verified this name');
  expect(anywhere).not.toMatch(/verified by|✓/);
});

it('warns of a program on this computer, also when its host is known', () => {
  expect(textOf(page({ client: LOOPBACK }))).toContain('You will return to a program on this computer');
  const known = { ...LOOPBACK, host: 'tools.example', isKnown: true };
  expect(textOf(page({ client: known }))).toContain('a program on this computer. Continue only');
  expect(textOf(page())).not.toContain('program on this computer');
});

it('says of a page of this service that it is one, and warns of nothing', () => {
  const text = textOf(page({ client: { ...LOOPBACK, name: 'Tasktree API reference', isOwn: true } }));
  expect(text).toContain('Tasktree API reference part of this service');
  expect(text).toContain('the page that you came from');
  expect(text).not.toMatch(/unverified|Nobody has verified|program on this computer/);
});

it('has one ticked box with words for each scope that is asked for, and for no other', () => {
  expect(boxesOf(page())).toEqual(SCOPES.map((scope) => [scope, true]));
  const html = page({ scopes: ['read'], chosen: ['read'] });
  expect(boxesOf(html)).toEqual([['read', true]]);
  expect(textOf(html)).toContain(SCOPE_WORDS.read.title);
  expect(textOf(html)).not.toContain(SCOPE_WORDS.worker.title);
});

it.each<[Scope, boolean]>([
  ['read', false],
  ['buyer', true],
  ['worker', true],
  ['agent-owner', false],
])('asked for %s alone it offers a cap: %s', (scope, offers) => {
  expect(page({ scopes: [scope] }).includes('name="funding_cap"')).toBe(offers);
});

it('shows again what the person had chosen, with what is wrong at its field', () => {
  const text = 'Write digits.';
  const html = page({
    chosen: ['buyer'],
    limits: { ...NO_TYPED_LIMITS, per_payment: '1"><b>' },
    problem: { field: 'funding_cap', text },
  });
  expect(boxesOf(html).filter(([, isTicked]) => isTicked)).toEqual([['buyer', true]]);
  expect(html).toContain('value="1&quot;&gt;&lt;b&gt;"');
  expect(html).toMatch(/aria-describedby="funding_cap-fault funding_cap-hint" aria-invalid="true"/);
  expect(html).toContain('id="funding_cap-fault" role="alert">Write digits.');
  expect(page({ problem: { field: 'scope', text } })).toContain('<fieldset aria-describedby="scope-fault">');
});

it('has a separate form for each of the two decisions', () => {
  const [allow = '', cancel = ''] = page().match(/<form[\s\S]*?<\/form>/g) ?? [];
  expect(allow).toContain('action="/tasks/oauth/interaction/uid/consent"');
  expect(allow).toContain('value="allow-token"');
  expect(allow).not.toContain('cancel-token');
  expect(cancel).toContain('action="/tasks/oauth/interaction/uid/cancel"');
  expect(cancel).toContain('value="cancel-token"');
});

describe('the text of others', () => {
  const hostile = `<script>alert(1)</script>"'>\u202e\n${'A'.repeat(20_000)}`;
  const client = { name: hostile, host: hostile, isKnown: false, redirectHost: hostile, redirectsToLoopback: false };

  it('is one short line without markup, wherever it stands', () => {
    const html = page({ client, account: { name: hostile, walletAddress: WALLET } });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('\u202e');
    expect(html.length).toBeLessThan(page().length + 2_000);
    for (const [, line = ''] of html.matchAll(/<bdi>([^<]*)<\/bdi>/g)) expect(line).not.toContain('\n');
  });

  it('cannot change the direction of the text around it or join it', () => {
    expect(page({ client })).toMatch(/<h1><bdi>[^<]*<\/bdi> wants to help with your tasks<\/h1>/);
  });

  it('may be missing', () => {
    expect(textOf(page({ client: { ...UNVERIFIED, name: ' \n' } }))).toContain('An application without a name wants');
  });
});

describe('the other limits', () => {
  it('are folded away until one is set, and say what held until now', () => {
    expect(page({})).toContain('<details>\n<summary class="button">More spending limits');
    expect(page({})).not.toContain('Until now');
    const earlier = { ...NO_LIMITS, perPayment: 25_000_000n, perDay: 100_000_000n, counterparties: [WALLET] };
    const html = page({ earlier, limits: { ...NO_TYPED_LIMITS, per_day: '100.00' } });
    expect(html).toContain('<details open>');
    expect(html).toContain('at most 25.00 USDC per payment and 100.00 USDC a day (UTC), only to one wallet.');
  });

  it('show what was typed as text, with the fault beside it', () => {
    const limits = { ...NO_TYPED_LIMITS, total: '1"><b>' };
    const html = page({ limits, problem: { field: 'total', text: 'Not an amount.' } });
    expect(html).toContain('value="1&quot;&gt;&lt;b&gt;"');
    expect(html).toContain('id="total-fault" role="alert">Not an amount.');
  });

  it('are not offered where nothing can be paid', () => {
    expect(page({ scopes: ['read'], chosen: ['read'] })).not.toContain('spending limits');
  });
});
