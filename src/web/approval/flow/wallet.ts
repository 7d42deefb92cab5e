import { type Hex, EVM_ADDRESS_PATTERN, BYTES32_PATTERN, isHex } from '#libs/notation';
import { chainQueries, type Deployment, type Intent, type PreparedAction, readingFrom } from '#libs/prepared-action';
import type { ApprovalDeployment, ReadyCall } from '#libs/approval-wire';
import { memberOf } from '../../wallets/json.js';
import { failureOf, type Provider, type ProviderCall } from '../../wallets/provider.js';
import type { Account, WalletFindings } from './state.js';

/** Code of an account that has a key and lets other code act for it (EIP-7702): it still signs with the key. */
const DELEGATION = /^0xef0100/i;
/** Milliseconds after which a wallet's node counts as not answering. */
const LONGEST_NODE_ANSWER_MS = 10_000;

/** The action that is looked at, what was asked for, and the deployment. */
interface Subject {
  action: PreparedAction;
  intent: Intent;
  deployment: Deployment;
}

/** The account that the wallet shows. Opens the wallet when it has not shown one before. */
export async function connect(provider: Provider): Promise<Account | null> {
  return accountOf(provider, await provider.request({ method: 'eth_requestAccounts' }));
}

/** Lets the person choose the account anew (EIP-2255); a wallet that does not know that just shows the one it has. */
export async function connectAnew(provider: Provider): Promise<Account | null> {
  try {
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
  } catch (error) {
    if (failureOf(error).kind !== 'unsupported') throw error;
  }
  return connect(provider);
}

/** The account that the wallet shows without asking anybody; null when it shows none. */
export async function currentAccount(provider: Provider): Promise<Account | null> {
  return accountOf(provider, await provider.request({ method: 'eth_accounts' }));
}

/** Asks the wallet to change its network, and to learn it where it does not know it and its endpoint is published. */
export async function switchNetwork(provider: Provider, deployment: ApprovalDeployment): Promise<void> {
  const chainId = `0x${deployment.chainId.toString(16)}`;
  const change: ProviderCall = { method: 'wallet_switchEthereumChain', params: [{ chainId }] };
  try {
    await provider.request(change);
  } catch (error) {
    const { chainName, nativeCurrency, rpcUrlForWallet } = deployment;
    if (failureOf(error).kind !== 'unknown_chain' || rpcUrlForWallet === null) throw error;
    const network = { chainId, chainName, nativeCurrency, rpcUrls: [rpcUrlForWallet] };
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] });
    await provider.request(change);
  }
}

/** What the wallet's own node says of the action. A question that it does not answer is left out. */
export async function findings(provider: Provider, subject: Subject, account: string): Promise<WalletFindings> {
  const { action, intent, deployment } = subject;
  const queries = chainQueries(action, intent, deployment);
  const [balance, ...answers] = await Promise.all([
    asked(provider, { method: 'eth_getBalance', params: [account, 'latest'] }),
    ...queries.map(({ method, params }) => asked(provider, { method, params })),
  ]);
  const byName = Object.fromEntries(queries.map(({ name }, at) => [name, answers[at]]));
  const reading = readingFrom('wallet', byName, subject);
  // A wallet knows its network without its node, and a node that is silent about the escrow or the job confirms nothing.
  const hasAnswered = byName['code'] !== undefined && (!('node' in byName) || reading.node !== undefined);
  return {
    reading: hasAnswered ? reading : null,
    gasBalance: quantityOf(balance),
  };
}

/** The text that `eth_signTypedData_v4` takes: the four members of typed data as they came, and nothing else. */
export function typedDataText({ payload }: PreparedAction): string {
  const { domain, types, primaryType, message } = payload;
  return JSON.stringify({ domain, types, primaryType, message });
}

/**
 * Asks for the signature. The request is sent before this returns, so that the browser takes the wallet's window as
 * opened by the click.
 */
export function askForSignature(provider: Provider, account: string, typedData: string): Promise<Hex | null> {
  return answerOf(provider, { method: 'eth_signTypedData_v4', params: [account, typedData] }, (text) => isHex(text));
}

/** Asks to send the call, from the connected account; the hash of its transaction. As `askForSignature`. */
export function askToSend(provider: Provider, account: string, call: ReadyCall): Promise<Hex | null> {
  const { to, data, value, chainId } = call;
  const transaction = { from: account, to, data, value, chainId };
  return answerOf(provider, { method: 'eth_sendTransaction', params: [transaction] }, (text) =>
    BYTES32_PATTERN.test(text),
  );
}

/**
 * Asks to sign and send in one step (EIP-5792); the id by which the wallet knows the bundle. As `askForSignature`.
 * @param calls as they came; only the members that a bundle takes are sent.
 * @param paymaster URL of a service that pays the network's fee, if the wallet and the service agree; null: nobody else.
 */
export async function askForCalls(
  provider: Provider,
  { address, chainId: network }: Account,
  calls: readonly unknown[],
  paymaster: string | null,
): Promise<string | null> {
  const chainId = `0x${network.toString(16)}`;
  const service = { url: paymaster, context: {}, optional: true };
  const bundle = {
    version: '2.0.0',
    from: address,
    chainId,
    atomicRequired: true,
    calls: calls.map((call) => ({
      to: memberOf(call, 'to'),
      data: memberOf(call, 'data'),
      value: memberOf(call, 'value') ?? '0x0',
    })),
    // Wallets read it in one of two places, and do not say in which: here, or by chain.
    ...(paymaster && { capabilities: { paymasterService: { ...service, [chainId]: service } } }),
  };
  const answer = await provider.request({ method: 'wallet_sendCalls', params: [bundle] });
  const id = memberOf(answer, 'id') ?? answer;
  return typeof id === 'string' ? id : null;
}

/**
 * The transaction of a bundle: `waiting` until there is one; null when the wallet has given up and names none, which it
 * says of a bundle that never reached the chain.
 */
export async function transactionOfCalls(provider: Provider, id: string): Promise<Hex | 'waiting' | null> {
  const answer = await asked(provider, { method: 'wallet_getCallsStatus', params: [id] });
  const status = memberOf(answer, 'status');
  const receipts = memberOf(answer, 'receipts');
  const hash: unknown = Array.isArray(receipts) ? memberOf(receipts.at(-1), 'transactionHash') : undefined;
  if (typeof hash === 'string' && isHex(hash) && BYTES32_PATTERN.test(hash)) return hash;
  return typeof status === 'number' && status >= 400 ? null : 'waiting';
}

async function answerOf(
  provider: Provider,
  call: ProviderCall,
  isMeant: (text: string) => boolean,
): Promise<Hex | null> {
  const answer = await provider.request(call);
  return typeof answer === 'string' && isHex(answer) && answer !== '0x' && isMeant(answer) ? answer : null;
}

async function accountOf(provider: Provider, accounts: unknown): Promise<Account | null> {
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string' || !EVM_ADDRESS_PATTERN.test(address)) return null;
  const chainId = quantityOf(await provider.request({ method: 'eth_chainId' }));
  if (chainId === null) return null;
  const [code, capabilities] = await Promise.all([
    asked(provider, { method: 'eth_getCode', params: [address, 'latest'] }),
    asked(provider, { method: 'wallet_getCapabilities', params: [address, [`0x${chainId.toString(16)}`]] }),
  ]);
  const isContract = typeof code === 'string' && code.length > 2 && !DELEGATION.test(code);
  // EIP-5792; what holds on every chain is told for chain 0.
  const [own, any] = [chainId, 0].map((chain) => memberOf(capabilities, `0x${chain.toString(16)}`));
  const can = (name: string): unknown => memberOf(own, name) ?? memberOf(any, name);
  const atomic = memberOf(can('atomic'), 'status');
  // The calls of one request happen together or not at all.
  const canBundle = atomic === 'supported' || atomic === 'ready';
  const takesPaymaster = canBundle && memberOf(can('paymasterService'), 'supported') === true;
  return { address, chainId: Number(chainId), isContract, canBundle, takesPaymaster };
}

/** The answer to a question that opens no window; undefined when there is none. */
async function asked(provider: Provider, call: ProviderCall): Promise<unknown> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), LONGEST_NODE_ANSWER_MS);
  });
  try {
    return await Promise.race([provider.request(call), timeout]);
  } catch {
    return undefined;
  }
}

/** Wallets answer with a number, or with hexadecimal or decimal text. */
function quantityOf(value: unknown): bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,40})$/.test(value) ? BigInt(value) : null;
}
