import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { LocalFile } from '../../market-folder/local-file.js';

/**
 * The signer of the demo's command lines (`tasktree … --signer`): answers one question of EIP-1193 from standard input. It
 * signs with the key that the file DEMO_MARKET_FILE has for the account DEMO_NAME, and sends through the local chain. It is
 * started for each question, and loads what one needs.
 */
const { DEMO_MARKET_FILE = '', DEMO_NAME } = process.env;

const file = JSON.parse(readFileSync(DEMO_MARKET_FILE, 'utf8')) as LocalFile;
const own = file.accounts.find(({ name }) => name === DEMO_NAME);
const { method, params } = JSON.parse(await text(process.stdin)) as { method: string; params: unknown[] };
process.stdout.write(JSON.stringify(await answer().catch(({ message }: Error) => ({ error: { message } }))));

async function answer(): Promise<object> {
  if (own === undefined) throw new Error(`The market has no account called ${DEMO_NAME ?? ''}`);
  if (method === 'eth_requestAccounts') return { result: [own.wallet_address] };
  if (method === 'eth_signTypedData_v4') {
    const [{ hashTypedData }, { SigningKey }] = await Promise.all([
      import('#libs/prepared-action'),
      import('ethers/crypto'),
    ]);
    const { digest } = hashTypedData(JSON.parse(params[1] as string));
    return { result: new SigningKey(own.wallet_private_key).sign(digest).serialized };
  }
  // The chain of a local market sends for whom it impersonates; no other chain knows this, so nothing is sent elsewhere.
  if (method === 'eth_sendTransaction') await ask('anvil_impersonateAccount', [own.wallet_address]);
  return ask(method, params);
}

async function ask(question: string, about: unknown[]): Promise<object> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: question, params: about });
  const response = await fetch(file.rpc_url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: object };
  return error === undefined ? { result } : { error };
}
