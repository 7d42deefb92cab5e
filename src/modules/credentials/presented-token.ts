/** How a token is sent: on its own, or with a proof of the key that it is bound to (RFC 6750, RFC 9449). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** What an `Authorization` header holds; the token may be any text. */
export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly token: string;
}

const CREDENTIALS = /^(Bearer|DPoP)(?: +(.*))?$/is;
/** 256 random bits in base64url, as the authorization server makes its opaque tokens. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const CHANGE_DIGITS = 16;

/** The token in an `Authorization` header; null for another scheme, which is no credential here. */
export function presentedToken(authorization: string): PresentedToken | null {
  const [, scheme, token = ''] = CREDENTIALS.exec(authorization) ?? [];
  if (scheme === undefined) return null;
  return { scheme: scheme.toLowerCase() === 'bearer' ? 'Bearer' : 'DPoP', token };
}

/** True for a text that could be an access token: only then is it worth a look-up. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * What is announced (`announceCredentialChange`) when one token ends before its time.
 * @param idHash SHA-256 of the token, under which its record is kept.
 */
export function tokenChangeId(idHash: Buffer): string {
  return `token:${idHash.toString('hex').slice(0, CHANGE_DIGITS)}`;
}
