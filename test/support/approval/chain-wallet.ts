import { randomBytes } from 'node:crypto';
import type { Actor, IntentsMarket } from '../e2e/intents-market.js';
import {
  type InjectedWallet,
  injectedWallet,
  type InjectedWalletOptions,
  WalletError,
} from '../oauth/injected-wallets.js';

/** Methods that a wallet passes on to its own node. */
const READS = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionReceipt',
]);

export interface ChainWalletOptions extends InjectedWalletOptions {
  /** The address that the wallet shows, if it differs from the one that signs and sends. */
  shows?: string;
  /** True: the wallet combines several calls into one (EIP-5792), as wallets that are contracts do. */
  bundles?: boolean;
}

/** The wallet of an actor in a browser. It signs with the actor's key, and sends to and reads from the local chain. */
export function chainWallet(
  market: IntentsMarket,
  who: Actor,
  { answer, shows, bundles = false, ...options }: ChainWalletOptions = {},
): InjectedWallet {
  const { anvil } = market.stack.chain;
  const bundled = new Map<string, string[]>();
  const methods: Record<string, (params: readonly any[]) => Promise<unknown>> = {
    eth_signTypedData_v4: ([, data]) => anvil.rpc('eth_signTypedData_v4', who.key, JSON.parse(data)),
    eth_sendTransaction: async ([call]) => (await market.transact(who.wallet, call)).hash,
    ...(bundles ? bundleMethods(market, who, bundled) : {}),
  };
  const signer = {
    address: shows ?? who.wallet,
    signMessage: (message: string) =>
      anvil.rpc<string>('personal_sign', `0x${Buffer.from(message).toString('hex')}`, who.key),
  };
  return injectedWallet(signer, {
    name: 'Key Wallet',
    ...options,
    answer: (method, params) => {
      const own = answer?.(method, params);
      if (own !== undefined) return own;
      if (READS.has(method)) return anvil.rpc(method, ...params);
      return methods[method]?.(params);
    },
  });
}

/** The methods of EIP-5792, which anvil does not know, as a wallet that executes calls together has them. */
function bundleMethods(
  market: IntentsMarket,
  who: Actor,
  bundled: Map<string, string[]>,
): Record<string, (params: readonly any[]) => Promise<unknown>> {
  const receipt = (hash: string): Promise<unknown> => market.stack.chain.anvil.rpc('eth_getTransactionReceipt', hash);
  return {
    wallet_getCapabilities: async () => ({ '0x7a69': { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async ([{ calls }]) => {
      const id = `0x${randomBytes(32).toString('hex')}`;
      const hashes: string[] = [];
      for (const call of calls) hashes.push((await market.transact(who.wallet, call)).hash);
      bundled.set(id, hashes);
      return { id };
    },
    wallet_getCallsStatus: async ([id]) => {
      const hashes = bundled.get(id);
      if (!hashes) throw new WalletError(5730, 'Unknown bundle id.');
      return {
        version: '2.0.0',
        id,
        chainId: '0x7a69',
        status: 200,
        atomic: true,
        receipts: await Promise.all(hashes.map(receipt)),
      };
    },
  };
}

/** A wallet whose person declines this method. */
export function declining(market: IntentsMarket, who: Actor, method: string): InjectedWallet {
  return failing(market, who, method, new WalletError(4001, 'User rejected the request.'));
}

/** A wallet that answers this method with an error. */
export function failing(market: IntentsMarket, who: Actor, method: string, error: WalletError): InjectedWallet {
  return chainWallet(market, who, { answer: (asked) => (asked === method ? Promise.reject(error) : undefined) });
}
