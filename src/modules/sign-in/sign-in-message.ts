import type { ChallengePurpose, WalletChallengeEntity } from './wallet-challenge.entity.js';

/** The service's values that all messages contain. */
interface SignInSite {
  /** BASE_URL. */
  baseUrl: string;
  /** Display name of the service. */
  displayName: string;
}

/**
 * Prefixes of request ids: of account pages, and of prepared actions (ACTION). Every other request id names an OAuth
 * interaction.
 */
const ACCOUNT_PAGE = 'account';
const ACTION = 'act_';

/** Sentences of the message about what the signature does. */
const DEEDS: Readonly<Record<Exclude<ChallengePurpose, 'confirm_act'>, (name: string) => string>> = {
  sign_in: (name) => `Sign in to ${name}.`,
  link_wallet: (name) => `Add this wallet to your account at ${name}.`,
  open_action: (name) => `Open a request that waits for this wallet at ${name}.`,
};

/** Request ids that EIP-4361 allows (`*pchar`), without percent signs. */
const REQUEST_ID = /^[A-Za-z0-9._~!$&'()*+,;=:@-]{1,128}$/;
/** Characters that EIP-4361 does not allow in a statement. */
const NOT_IN_STATEMENT = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+/g;
const COMBINING = /\p{M}+/gu;

/** True for a text that a message may contain as request id. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/**
 * The message that a wallet signs (EIP-4361). It is built only from the stored challenge and from nothing that a
 * browser sends, so a challenge always gives the same text.
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

/** Converts a text to the characters of a statement: accents and characters without a plain letter are dropped. */
function plainText(text: string): string {
  return text.normalize('NFKD').replace(COMBINING, '').replace(NOT_IN_STATEMENT, ' ').replace(/ +/g, ' ').trim();
}
