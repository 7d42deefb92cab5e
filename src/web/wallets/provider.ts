import { memberOf } from './json.js';

/** A call to a wallet (EIP-1193). */
export interface ProviderCall {
  method: string;
  params?: readonly unknown[];
}

/** A wallet as a page can talk to it (EIP-1193). */
export interface Provider {
  request(call: ProviderCall): Promise<unknown>;
  on?(event: string, listener: (detail: unknown) => void): unknown;
}

/** Narrows what a wallet announced of itself. */
export function isProvider(value: unknown): value is Provider {
  return typeof memberOf(value, 'request') === 'function';
}

/** Why a wallet did not do what it was asked. */
export interface WalletFailure {
  /**
   * `rejected`: the person said no. `pending`: it has a question open already. `locked`: it shows no account or does not
   * let this page ask. `disconnected`: it cannot reach its network. `unknown_chain`: it does not know the network.
   * `unsupported`: it does not know the method. `dropped`: it took the calls, and did not carry them out.
   */
  kind: 'rejected' | 'pending' | 'locked' | 'disconnected' | 'unknown_chain' | 'unsupported' | 'dropped' | 'other';
  /** As the wallet gave it; null for none. */
  code: number | null;
}

/** Codes of EIP-1193, EIP-3085, EIP-5792 and JSON-RPC 2.0. */
const KINDS: ReadonlyMap<number, WalletFailure['kind']> = new Map([
  [4001, 'rejected'],
  [5750, 'rejected'],
  [-32002, 'pending'],
  [4100, 'locked'],
  [4900, 'disconnected'],
  [4901, 'disconnected'],
  [4902, 'unknown_chain'],
  [4200, 'unsupported'],
  [-32601, 'unsupported'],
]);

/** What an error of a wallet means. Wallets on phones wrap the one that counts into another. */
export function failureOf(error: unknown): WalletFailure {
  const inner = memberOf(memberOf(memberOf(error, 'data'), 'originalError'), 'code');
  const codes = [inner, memberOf(error, 'code')].filter((code) => typeof code === 'number');
  for (const code of codes) {
    const kind = KINDS.get(code);
    if (kind !== undefined) return { kind, code };
  }
  return { kind: 'other', code: codes[0] ?? null };
}
