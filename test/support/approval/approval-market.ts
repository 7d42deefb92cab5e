import { Interface } from 'ethers';
import { type Actor, IntentsMarket } from '../e2e/intents-market.js';
import { freePort } from '../loopback-port.js';
import { FINAL_AFTER_BLOCKS } from '../../../src/modules/prepared-actions/action/action-status.js';

const TOKEN = new Interface(['function transfer(address to, uint256 value)']);
/** Limits that no spec reaches: specs send more requests a minute than a person, and other specs test the limits. */
const GENEROUS = {
  RATE_LIMIT_SIGN_IN: '100000',
  RATE_LIMIT_SIGN_IN_TOTAL: '1000000',
  RATE_LIMIT_AUTH_FAILURES: '100000',
};

/** Starts a market for one spec, whose pages a browser of this machine can open. */
export async function approvalMarket(
  own: Record<string, string> = {},
  anvilArgs: readonly string[] = [],
): Promise<IntentsMarket> {
  const port = String(await freePort());
  return IntentsMarket.start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}`, ...GENEROUS, ...own }, anvilArgs);
}

/** Mines enough blocks to make everything in the chain final. */
export async function becomeFinal({ stack }: IntentsMarket): Promise<void> {
  await stack.chain.anvil.rpc('anvil_mine', `0x${(FINAL_AFTER_BLOCKS + 1).toString(16)}`, '0x0');
}

/** Sends all USDC of the wallet away except `rest` base units. */
export async function keepUsdc(market: IntentsMarket, { wallet }: Actor, rest: bigint): Promise<void> {
  const data = `0x70a08231${wallet.slice(2).toLowerCase().padStart(64, '0')}`;
  const { anvil } = market.stack.chain;
  const has = BigInt(await anvil.rpc<string>('eth_call', { to: market.facts.token, data }, 'latest'));
  const call = TOKEN.encodeFunctionData('transfer', [market.relayer, has - rest]);
  await market.transact(wallet, { to: market.facts.token, data: call });
}
