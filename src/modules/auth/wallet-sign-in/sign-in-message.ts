import type { ChallengePurpose, WalletChallengeEntity } from './wallet-challenge.entity.js';

/** What the messages of one service have in common. */
interface SignInSite {
  /** BASE_URL. */
  baseUrl: string;
  /** What the service calls itself. */
  displayName: string;
}

/** Begins the ids of the account pages; every other request id is that of an interaction of OAuth. */
const ACCOUNT_PAGE = 'account';

/** What EIP-4361 takes as a request id (`*pchar`), without percent signs. */
const REQUEST_ID = /^[A-Za-z0-9._~!$&'()*+,;=:@-]{1,128}$/;
/** Everything that EIP-4361 does not take in a statement. */
const NOT_IN_STATEMENT = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+/g;
const COMBINING = /\p{M}+/gu;

/** True for an id that may stand in a message. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/**
 * The message that a wallet signs (EIP-4361). It is made from what is stored and from nothing that a browser sends, so
 * the same challenge always gives the same text.
 */
export function signInMessage(challenge: WalletChallengeEntity, { baseUrl, displayName }: SignInSite): string {
  const { host } = new URL(baseUrl);
  const isAccountPage = challenge.requestId.startsWith(ACCOUNT_PAGE);
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    challenge.address,
    '',
    statement(challenge.purpose, plainName(displayName) || host),
    '',
    `URI: ${baseUrl}/${isAccountPage ? 'account/sign-in' : 'oauth/authorize'}`,
    'Version: 1',
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt.toISOString()}`,
    `Expiration Time: ${challenge.expiresAt.toISOString()}`,
    `Request ID: ${challenge.requestId}`,
  ].join('\n');
}

function statement(purpose: ChallengePurpose, name: string): string {
  const what = purpose === 'sign_in' ? `Sign in to ${name}.` : `Add this wallet to your account at ${name}.`;
  return `${what} This does not move funds and does not approve anything.`;
}

/** The name in the characters of a statement: accents are left out, what has no plain letter is too. */
function plainName(name: string): string {
  return name.normalize('NFKD').replace(COMBINING, '').replace(NOT_IN_STATEMENT, ' ').replace(/ +/g, ' ').trim();
}
