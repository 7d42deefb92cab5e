import { lengthPrefixedHash } from '#libs/kernel';

/** Everything that an account's signing wallet must agree to. */
type ActName =
  'add-wallet' | 'use-wallet' | 'remove-wallet' | 'keep-wallet' | 'create-keys' | 'create-key' | 'replace-key';

/** One thing to be done for an account, with everything that it depends on. */
export interface ConfirmedAct {
  name: ActName;
  /** Exactly what is done: a signature for other parameters is none for these. The order of members counts. */
  parameters: Readonly<Record<string, string | number | readonly string[]>>;
  /** The same for a person, in the message that is signed; begins with a verb, without full stop. */
  words: string;
}

/**
 * Stands in the message as its request id, so that what the wallet signs names the act to the last character: words of
 * a message are in plain letters only, and two names can look the same in them.
 */
export function actRequestId(accountId: string, { name, parameters }: ConfirmedAct): string {
  const hash = lengthPrefixedHash('account-act/1', accountId, name, JSON.stringify(parameters));
  return `account-${name}-${hash.toString('hex')}`;
}
