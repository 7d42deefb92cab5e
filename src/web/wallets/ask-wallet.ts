import { EVM_ADDRESS_PATTERN } from '#libs/notation';
import { failureOf, type Provider } from './provider.js';
import type { Wallet } from './discovery.js';

/** A sentence for the person, instead of an error of the program. */
export class Refusal extends Error {}

export const NOTHING_SIGNED = 'Nothing was signed.';
/** When a wallet that says nothing is most likely locked, or its window is behind this one; milliseconds. */
const SLOW_WALLET_MS = 8000;

/** Shows a sentence about the present attempt. */
export type Tell = (text: string) => void;

/** What a page needs of a wallet before it asks for more. */
interface Wanted {
  /** The account that the page waits for; null: the first that the wallet shows. */
  account: string | null;
  /** EIP-155. */
  chainId: number;
}

/**
 * Opens a wallet and has it change to the chain; gives the account.
 * @throws Refusal; what the wallet throws.
 */
export async function connectWallet({ name, provider }: Wallet, wanted: Wanted, tell: Tell): Promise<string> {
  const waiting = setTimeout(() => tell(`Still waiting for ${name}. Open it: it may be locked.`), SLOW_WALLET_MS);
  try {
    tell(`Connecting to ${name}. If nothing opens, open the wallet and unlock it.`);
    const account = await accountOf(provider, wanted.account);
    await agreeOnChain(provider, wanted.chainId, tell);
    return account;
  } finally {
    clearTimeout(waiting);
  }
}

/**
 * The account that the page waits for, or the first that the wallet shows when `wanted` is null. Opens the wallet.
 * @throws Refusal when the wallet does not show it.
 */
async function accountOf(provider: Provider, wanted: string | null): Promise<string> {
  const answer = await provider.request({ method: 'eth_requestAccounts' });
  const shown: unknown[] = Array.isArray(answer) ? answer : [];
  const accounts = shown.filter((one) => typeof one === 'string').filter((one) => EVM_ADDRESS_PATTERN.test(one));
  const account = wanted === null ? accounts[0] : accounts.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (account !== undefined) return account;
  if (accounts.length === 0) throw new Refusal('The wallet is locked. Unlock it and try again.');
  throw new Refusal(
    `Switch to the account that ends in ${wanted?.slice(-4)} in the wallet, then choose the wallet again. ${NOTHING_SIGNED}`,
  );
}

/**
 * Asks the wallet to change to this chain if it is on another; `tell` gets a sentence for the person then.
 * @throws Refusal when it stays where it is.
 */
async function agreeOnChain(provider: Provider, chainId: number, tell: Tell): Promise<void> {
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  tell(`The wallet is on another network. It is asked to change to the one with chain id ${chainId}.`);
  const parameters = [{ chainId: `0x${chainId.toString(16)}` }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: parameters });
  } catch (error) {
    if (failureOf(error).kind !== 'unknown_chain') throw error;
    throw new Refusal(
      `The wallet does not know the network with chain id ${chainId}. Add it there, then choose the wallet again.`,
    );
  }
  if (Number(await provider.request({ method: 'eth_chainId' })) !== chainId) {
    throw new Refusal(
      `The wallet is still on another network. Change it to chain id ${chainId}, then choose it again.`,
    );
  }
}

/** What a person is told of an error, and what to do now. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  switch (failureOf(error).kind) {
    case 'rejected':
      return `You declined in the wallet. ${NOTHING_SIGNED} To try again, choose a wallet.`;
    case 'pending':
      return 'The wallet is waiting for another answer. Give it there, then choose the wallet again.';
    case 'locked':
      return `The wallet is locked or does not let this page ask. ${NOTHING_SIGNED}`;
    case 'disconnected':
      return `The wallet is not connected to its network. ${NOTHING_SIGNED}`;
    case 'unknown_chain':
    case 'unsupported':
    case 'dropped':
    case 'other':
      return `The wallet answered with an error. ${NOTHING_SIGNED} Try again, or use another wallet.`;
  }
}

/** The UTF-8 bytes of a text as `0x` and hexadecimal digits. */
export function hexOf(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
