import { markup } from '../http/html-markup.js';
import { addressText } from './address-text.js';
import { asset } from './assets/assets.js';
import { errorPage } from './error-page.js';
import { webPage } from './page-shell.js';

const page = {
  displayName: 'A & B',
  baseUrl: 'https://market.example/tasks',
  title: 'A <title>',
  body: markup`<p>x</p>`,
};

describe('a page', () => {
  it('escapes what the operator called the service', () => {
    expect(webPage(page)).toContain('<title>A &lt;title&gt; – A &amp; B</title>');
  });

  it('has a language, a way past the links, one place for the content, and the host in words', () => {
    const html = webPage(page);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<a class="skip" href="#main">');
    expect(html.match(/<main /g)).toHaveLength(1);
    expect(html).toContain('market.example');
  });

  it('loads its style, and a script that it names, by hash and with integrity below the base path', () => {
    const html = webPage({ ...page, scripts: ['wallet-sign-in.js'] });
    for (const name of ['style.css', 'wallet-sign-in.js'] as const) {
      expect(html).toContain(`"/tasks/assets/${asset(name).hash}/${name}" integrity="${asset(name).integrity}"`);
    }
    expect(webPage(page)).not.toContain('<script');
  });

  it('has nothing inline that a strict policy would refuse', () => {
    const html = webPage({ ...page, scripts: ['wallet-sign-in.js'] });
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:/);
  });

  it('marks the link to itself in words for those who hear it', () => {
    const nav = [
      { text: 'Keys', path: '/account/keys', isCurrent: true },
      { text: 'Wallets', path: '/account/wallets', isCurrent: false },
    ];
    const html = webPage({ ...page, nav });
    expect(html).toContain('<a href="/tasks/account/keys" aria-current="page">Keys</a>');
    expect(html).toContain('<a href="/tasks/account/wallets">Wallets</a>');
  });
});

describe('an address', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

  it('is whole, in groups, and copies as one word', () => {
    const { text } = addressText(address);
    expect(text).toContain('<span>0xf39F</span><span>d6e5</span>');
    expect(text.replace(/<[^>]*>/g, '')).toBe(address);
  });

  it('that is none harms nothing', () => {
    expect(addressText('<b>x').text.replace(/<\/?(?:span|code)\b[^>]*>/g, '')).toBe('&lt;b&gt;x');
    expect(addressText('').text).toContain('<code');
  });
});

describe('the page of an error', () => {
  it('says what happened, what to do and how to ask for help', () => {
    const html = errorPage({
      ...page,
      status: 404,
      reason: 'It is <over>.',
      suggestion: 'Begin again.',
      requestId: 'req-1',
    });
    expect(html).toContain('<h1>Not found</h1>');
    expect(html).toContain('<p>It is &lt;over&gt;.</p>\n<p>Begin again.</p>');
    expect(html).toContain('<code>req-1</code>');
  });

  it('needs neither suggestion nor request', () => {
    const html = errorPage({ ...page, status: 400, reason: 'No.', requestId: '' });
    expect(html).toContain('<h1>This did not work</h1>');
    expect(html).not.toContain('undefined');
  });
});
