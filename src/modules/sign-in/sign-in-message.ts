import type { ChallengePurpose, WalletChallengeEntity } from './wallet-challenge.entity.js';

/** What the messages of one service have in common. */
interface SignInSite {
  /** BASE_URL. */
  baseUrl: string;
  /** What the service calls itself. */
  displayName: string;
}

/** Begins the ids of the account pages and of prepared actions; every other request id is that of an interaction of OAuth. */
const ACCOUNT_PAGE = 'account';
const ACTION = 'act_';

/** What a proof does, as the message says it. */
const DEEDS: Readonly<Record<Exclude<ChallengePurpose, 'confirm_act'>, (name: string) => string>> = {
  sign_in: (name) => `Sign in to ${name}.`,
  link_wallet: (name) => `Add this wallet to your account at ${name}.`,
  open_action: (name) => `Open a request that waits for this wallet at ${name}.`,
};

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
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    challenge.address,
    '',
    statement(challenge, plainText(displayName) || host),
    '',
    `URI: ${baseUrl}/${pageOf(challenge)}`,
    'Version: 1',
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt.toISOString()}`,
    `Expiration Time: ${challenge.expiresAt.toISOString()}`,
    `Request ID: ${challenge.requestId}`,
  ].join('\n');
}

function pageOf({ purpose, requestId }: WalletChallengeEntity): string {
  if (purpose === 'confirm_act') return 'account';
  if (requestId.startsWith(ACTION)) return 'sign';
  return requestId.startsWith(ACCOUNT_PAGE) ? 'account/sign-in' : 'oauth/authorize';
}

function statement({ purpose, act }: WalletChallengeEntity, name: string): string {
  if (purpose === 'confirm_act') {
    return `Confirm at ${name}: ${plainText(act ?? '')}. This moves no funds. Do not sign unless you asked for it yourself.`;
  }
  return `${DEEDS[purpose](name)} This does not move funds and does not approve anything.`;
}

/** A text in the characters of a statement: accents are left out, what has no plain letter is too. */
function plainText(text: string): string {
  return text.normalize('NFKD').replace(COMBINING, '').replace(NOT_IN_STATEMENT, ' ').replace(/ +/g, ' ').trim();
}
