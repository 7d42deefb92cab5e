import { signInPage } from './sign-in-page.js';
import { type WalletFormOptions, walletForm } from './wallet-form.js';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const MESSAGE = `market.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\n<b>&"`;
const challenge = {
  challengeId: 'chal_1',
  message: MESSAGE,
  address: ADDRESS,
  expiresAt: new Date('2026-11-20T19:45:05.123Z'),
};

function form(own: Partial<WalletFormOptions> = {}): string {
  return walletForm({ base: '/x/interaction/uid', submit: 'sign-in', formToken: 'token', chainId: 31337, ...own }).text;
}

describe('the wallet form', () => {
  it('tells the script where to ask, and for which chain, and stays hidden without it', () => {
    expect(form()).toMatch(/<section\s+hidden\s+data-wallet-sign-in/);
    expect(form()).toContain('data-challenge-path="/x/interaction/uid/challenge"');
    expect(form()).toContain('data-chain-id="31337"');
    expect(form()).toContain('role="status"');
    expect(form()).toContain('role="alert"');
  });

  it('asks for an address without any script', () => {
    expect(form()).toContain('<form method="post" action="/x/interaction/uid/challenge">');
    expect(form()).toMatch(/<label for="address">/);
  });

  it('shows the message exactly, as a picture and as text, until when it works and where its signature goes', () => {
    const html = form({ challenge });
    expect(html).toContain(`>${MESSAGE.replace('<b>&"', '&lt;b&gt;&amp;&quot;')}</pre>`);
    expect(html).toContain('<svg role="img"');
    expect(html).toContain('20 Nov 2026, 19:45 UTC');
    expect(html).toContain('action="/x/interaction/uid/sign-in"');
    expect(html).toContain('name="challenge_id" value="chal_1"');
    expect(html).not.toContain('data-wallet-sign-in');
  });

  it('leaves out a picture that no camera could read; the text remains', () => {
    const html = form({ challenge: { ...challenge, message: `${MESSAGE}${'x'.repeat(2_000)}` } });
    expect(html).not.toContain('<svg');
    expect(html).toContain('</pre>');
  });

  it('adds a wallet to an account as well', () => {
    expect(form({ submit: 'link' })).toContain('action="/x/interaction/uid/link"');
    expect(form({ submit: 'link', challenge })).toContain('Add the wallet</button>');
  });

  it('shows an error at the field, and the typed text again, escaped', () => {
    const problem = { field: 'address', text: 'This is no address.' } as const;
    const html = form({ address: '"><script>', problem });
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(html).toContain('id="address-fault" role="alert">This is no address.');
    expect(html).toContain('aria-invalid="true"');
  });

  it('says that a signature was refused even where its field is gone', () => {
    const problem = { field: 'signature', text: 'It was not accepted.' } as const;
    expect(form({ problem })).toMatch(/role="alert"[^>]*>It was not accepted\./);
    expect(form({ problem, challenge })).toContain('id="signature-fault" role="alert">It was not accepted.');
  });
});

describe('the sign-in page', () => {
  const page = (signedInAs: string | null, name = 'Claude') =>
    signInPage({
      displayName: 'Tasktree',
      baseUrl: 'https://market.example',
      client: { name, host: null },
      wallet: { base: '/b', submit: 'sign-in', formToken: 'token', chainId: 1 },
      signedInAs,
      walletScripts: [],
    });

  it('names the application and the site, says that no funds move, and has a way to cancel', () => {
    expect(page(null)).toContain('<bdi>Claude</bdi>');
    expect(page(null)).toContain('unverified name');
    expect(page(null)).toContain('<bdi>market.example</bdi>');
    expect(page(null)).toMatch(/That\s+moves\s+no\s+funds/);
    expect(page(null)).toContain('action="/b/cancel"');
    expect(page(null)).toContain('wallet-sign-in.js');
  });

  it('offers to go on with the wallet that is signed in', () => {
    expect(page(ADDRESS)).toContain('Continue with this wallet');
    expect(page(null)).not.toContain('Continue with this wallet');
  });

  it('is not changed by a name of 20,000 characters of markup', () => {
    const html = page(null, '<img src=x onerror=alert(1)>'.repeat(1_000));
    expect(html).not.toContain('<img');
    expect(html.length).toBeLessThan(page(null).length + 500);
  });
});
