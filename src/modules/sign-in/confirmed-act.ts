import { lengthPrefixedHash } from '#libs/kernel';

/** Acts that an account's signing wallet must confirm. */
type ActName =
  | 'add-wallet'
  | 'use-wallet'
  | 'remove-wallet'
  | 'keep-wallet'
  | 'create-keys'
  | 'create-key'
  | 'replace-key'
  | 'create-webhook'
  | 'move-webhook'
  | 'replace-webhook-secret';

/** An act for an account, with all its parameters. */
export interface ConfirmedAct {
  name: ActName;
  /** The exact parameters; a signature for other parameters is not valid. The order of the members matters. */
  parameters: Readonly<Record<string, string | number | readonly string[]>>;
  /** The act in words for the signed message; begins with a verb, without full stop. */
  words: string;
}

/**
 * Request id for the message, a hash of the act's exact parameters. The message's words contain plain letters only, in
 * which two names can look the same; the hash tells them apart.
 */
export function actRequestId(accountId: string, { name, parameters }: ConfirmedAct): string {
  const hash = lengthPrefixedHash('account-act/1', accountId, name, JSON.stringify(parameters));
  return `account-${name}-${hash.toString('hex')}`;
}
