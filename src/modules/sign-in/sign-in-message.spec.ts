import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import { isRequestId, signInMessage } from './sign-in-message.js';
import type { WalletChallengeEntity } from './wallet-challenge.entity.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ISSUED = new Date('2026-11-20T12:00:00.123Z');
const EXPIRES = new Date('2026-11-20T12:05:00.123Z');
const site = { baseUrl: 'https://market.example/tasks', displayName: 'Tasktree' };

const challenge = (own: Partial<WalletChallengeEntity> = {}): WalletChallengeEntity => ({
  id: 'chal_1',
  bindingHash: Buffer.alloc(32),
  purpose: 'sign_in',
  address: ADDRESS,
  chainId: '8453',
  nonce: '0123456789abcdef0123456789abcdef',
  requestId: 'uid-1_2',
  issuedAt: ISSUED,
  expiresAt: EXPIRES,
  act: null,
  consumedAt: null,
  provedBy: null,
  ...own,
});

/** EIP-4361's `statement`, and the lines around it, by its own grammar. */
const STATEMENT_LINE = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/;

describe('the message of a sign-in', () => {
  it('is what EIP-4361 says, by the parser of another library', () => {
    const parsed = parseSiweMessage(signInMessage(challenge(), site));
    expect(parsed).toEqual({
      domain: 'market.example',
      address: ADDRESS,
      statement: 'Sign in to Tasktree. This does not move funds and does not approve anything.',
      uri: 'https://market.example/tasks/oauth/authorize',
      version: '1',
      chainId: 8453,
      nonce: '0123456789abcdef0123456789abcdef',
      issuedAt: ISSUED,
      expirationTime: EXPIRES,
      requestId: 'uid-1_2',
    });
  });

  it('is good for its host, its wallet and its five minutes only', () => {
    const message = parseSiweMessage(signInMessage(challenge(), site));
    const isValid = (own: { domain?: string; address?: `0x${string}`; time?: Date; nonce?: string }) =>
      validateSiweMessage({ message, domain: 'market.example', address: ADDRESS, time: ISSUED, ...own });
    expect(isValid({})).toBe(true);
    expect(isValid({ domain: 'evil.example' })).toBe(false);
    expect(isValid({ address: `0x${'11'.repeat(20)}` })).toBe(false);
    expect(isValid({ nonce: 'fedcba9876543210' })).toBe(false);
    expect(isValid({ time: EXPIRES })).toBe(false);
  });

  it('says what linking a wallet does, and comes from the account pages then', () => {
    const own = { purpose: 'link_wallet', requestId: 'account-wallets' } as const;
    const { statement, uri } = parseSiweMessage(signInMessage(challenge(own), site));
    const what = 'Add this wallet to your account at Tasktree.';
    expect(statement).toBe(`${what} This does not move funds and does not approve anything.`);
    expect(uri).toBe('https://market.example/tasks/account/sign-in');
  });

  it('says that a request is opened, and names the page of all requests and not its secret link', () => {
    const own = { purpose: 'open_action', requestId: 'act_01k9q2m4t8v6w0y2z4a6c8e0g2' } as const;
    const { statement, uri, requestId } = parseSiweMessage(signInMessage(challenge(own), site));
    const what = 'Open a request that waits for this wallet at Tasktree.';
    expect(statement).toBe(`${what} This does not move funds and does not approve anything.`);
    expect([uri, requestId]).toEqual(['https://market.example/tasks/sign', own.requestId]);
  });

  it('names the port where the service has one of its own', () => {
    const local = { ...site, baseUrl: 'http://127.0.0.1:3000' };
    const { domain, uri } = parseSiweMessage(signInMessage(challenge(), local));
    expect([domain, uri]).toEqual(['127.0.0.1:3000', 'http://127.0.0.1:3000/oauth/authorize']);
  });

  it.each([
    ['Märkte & Söhne', 'Markte & Sohne'],
    ['Two\nlines\r\n\r\nURI: https://evil.example', 'Two lines URI: https://evil.example'],
    ['«Tasks» "quoted" 100%', 'Tasks quoted 100'],
    ['市場', 'market.example'],
    ['\u202eevil', 'evil'],
  ])('takes the name %j as %j: one line of plain letters', (displayName, shown) => {
    const text = signInMessage(challenge(), { ...site, displayName });
    const lines = text.split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[3]).toMatch(STATEMENT_LINE);
    const { statement, uri } = parseSiweMessage(text);
    expect(statement).toBe(`Sign in to ${shown}. This does not move funds and does not approve anything.`);
    expect(uri).toBe('https://market.example/tasks/oauth/authorize');
  });
});

describe('a request id', () => {
  it('is what can stand in a message on one line', () => {
    for (const id of ['account-sign-in', 'V1StGXR8_Z5jdHi6B-myT', 'a.b~c:d@e']) expect(isRequestId(id)).toBe(true);
    for (const id of ['', 'a b', 'a\nURI: x', 'a/b', 'ä', 'a%0a', 'x'.repeat(129)]) expect(isRequestId(id)).toBe(false);
  });
});
