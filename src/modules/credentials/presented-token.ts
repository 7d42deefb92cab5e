/** How a token is sent: alone, or with a proof of the key that it is bound to (RFC 6750, RFC 9449). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** Contents of an `Authorization` header. The token is not checked: it may be any text. */
export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly token: string;
}

const CREDENTIALS = /^(Bearer|DPoP)(?: +(.*))?$/is;
/** 256 random bits in base64url, as the authorization server makes its opaque tokens. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const CHANGE = 'token:';
const CHANGE_DIGITS = 16;

/** The token in an `Authorization` header; null for another scheme, which is no credential here. */
export function presentedToken(authorization: string): PresentedToken | null {
  const [, scheme, token = ''] = CREDENTIALS.exec(authorization) ?? [];
  if (scheme === undefined) return null;
  return { scheme: scheme.toLowerCase() === 'bearer' ? 'Bearer' : 'DPoP', token };
}

/** True for a text with the form of an access token; only such texts are looked up. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Id that is announced (`announceCredentialChange`) when a single token ends before its expiry.
 * @param idHash SHA-256 of the token, under which its record is kept.
 */
export function tokenChangeId(idHash: Buffer): string {
  return `${CHANGE}${idHash.toString('hex').slice(0, CHANGE_DIGITS)}`;
}

/** The hexadecimal digits with which the hash of a token begins, of the id that `tokenChangeId` has made; else null. */
export function tokenHashStart(changeId: string | undefined): string | null {
  return changeId?.startsWith(CHANGE) ? changeId.slice(CHANGE.length) : null;
}
