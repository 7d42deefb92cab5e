import { randomBytes } from 'node:crypto';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { type InjectedWallet, WalletError } from '../../support/oauth/injected-wallets.js';
import { type AccountAbstraction, ENTRY_POINT, type Paymaster } from './account-abstraction.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';

/** An answer of a paymaster service at an address of ours. */
export interface SponsorAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/**
 * The wallet of an actor as a smart wallet is one: it carries calls out as an operation of ERC-4337, and lets the paymaster
 * that the page names (ERC-7677) pay for it. It has no ether to pay itself.
 */
export function sponsoredWallet(market: IntentsMarket, who: Actor, chain: AccountAbstraction): InjectedWallet {
  const sent = new Map<string, string>();
  const methods: Record<string, (params: readonly any[]) => Promise<unknown>> = {
    wallet_getCapabilities: async () => ({
      '0x7a69': { atomic: { status: 'supported' }, paymasterService: { supported: true } },
    }),
    wallet_sendCalls: async ([{ calls, capabilities }]) => {
      const { url } = capabilities.paymasterService;
      const operation = await chain.operation(who, calls);
      await sponsor(url, 'pm_getPaymasterStubData', operation);
      const { body } = await sponsor(url, 'pm_getPaymasterData', operation);
      if (body.result === undefined) throw new WalletError(-32_603, 'Nobody pays');
      const id = `0x${randomBytes(32).toString('hex')}`;
      sent.set(id, await chain.execute(who, operation, body.result as Paymaster));
      return { id };
    },
    wallet_getCallsStatus: async ([id]) => ({
      version: '2.0.0',
      id,
      chainId: '0x7a69',
      status: 200,
      atomic: true,
      receipts: [await market.stack.chain.anvil.rpc('eth_getTransactionReceipt', sent.get(String(id)))],
    }),
  };
  return chainWallet(market, who, { answer: (method, params) => methods[method]?.(params) });
}

/** Asks the paymaster service at this address, as a wallet does. `own` replaces members of the request. */
export async function sponsor(
  url: string,
  method: string,
  operation: object,
  { entryPoint = ENTRY_POINT, chainId = '0x7a69' } = {},
): Promise<SponsorAnswer> {
  const request = { jsonrpc: '2.0', id: 7, method, params: [operation, entryPoint, chainId, {}] };
  return post(url, JSON.stringify(request));
}

/** Sends this text to the address. */
export async function post(url: string, body: string): Promise<SponsorAnswer> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}
