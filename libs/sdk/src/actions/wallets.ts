import { type Hex, isHex } from '#libs/notation';
import type { Ask } from './chain-node.js';

/** EIP-712 typed data as `eth_signTypedData_v4` takes it. */
export interface TypedDataToSign {
  domain: Record<string, unknown>;
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
}

/** A call, and the network that it is for: a wallet may show another one. */
export interface CallToSend {
  to: string;
  data: string;
  chainId: number;
}

/** EIP-1193: a browser's wallet, a WalletConnect session, or a program behind `commandWallet`. */
export interface Eip1193Wallet {
  request(question: { method: string; params?: unknown }): Promise<unknown>;
}

/** A viem `WalletClient` with an account. */
export interface ViemWalletClient extends Eip1193WalletOfViem {
  account?: { address: string } | undefined;
  signTypedData(data: never): Promise<string>;
  sendTransaction(call: never): Promise<string>;
}

interface Eip1193WalletOfViem {
  request(question: never): Promise<unknown>;
}

/** A viem `LocalAccount`: it signs, and has no way to send. */
export interface ViemLocalAccount {
  address: string;
  type: string;
  signTypedData(data: never): Promise<string>;
}

/** An ethers `Signer`, of version 6. */
export interface EthersSigner {
  getAddress(): Promise<string>;
  signTypedData(domain: never, types: never, value: never): Promise<string>;
  sendTransaction(call: never): Promise<{ hash: string }>;
}

export type AnyWallet = ViemWalletClient | ViemLocalAccount | EthersSigner | Eip1193Wallet;

/** What this library asks of a wallet, whatever it is made with. */
export interface Wallet {
  readonly address: () => Promise<string>;
  readonly sign: (data: TypedDataToSign) => Promise<Hex>;
  /** Resolves to the hash of the transaction. Absent: this wallet cannot send. */
  readonly send?: (call: CallToSend) => Promise<string>;
  /** Asks the wallet's own blockchain node. Absent: it has none. */
  readonly ask?: Ask;
}

/** Reads what kind of wallet it is. Throws TypeError when it is none. */
export function walletOf(wallet: AnyWallet): Wallet {
  if ('getAddress' in wallet) return ethersWallet(wallet);
  if ('sendTransaction' in wallet) return viemClient(wallet);
  if ('signTypedData' in wallet) {
    const { address } = wallet;
    return {
      address: () => Promise.resolve(address),
      sign: async (data) => hexOf(await wallet.signTypedData(data as never)),
    };
  }
  if (typeof wallet.request === 'function') return eip1193Wallet(wallet);
  throw new TypeError('This is no known wallet');
}

function ethersWallet(signer: EthersSigner): Wallet {
  return {
    address: () => signer.getAddress(),
    sign: async ({ domain, types, message }) => {
      // ethers adds this struct itself.
      const { EIP712Domain: _domain, ...structs } = types;
      return hexOf(await signer.signTypedData(domain as never, structs as never, message as never));
    },
    send: async (call) => (await signer.sendTransaction(call as never)).hash,
  };
}

function viemClient(client: ViemWalletClient): Wallet {
  const { account } = client;
  if (account === undefined) throw new TypeError('The WalletClient has no account');
  const ask: Ask = (method, params) => client.request({ method, params } as never);
  return {
    address: () => Promise.resolve(account.address),
    sign: async (data) => hexOf(await client.signTypedData({ ...data, account } as never)),
    send: async ({ to, data, chainId }) => {
      // viem compares the networks only where it knows the chain by all its members.
      if (Number(await ask('eth_chainId', [])) !== chainId)
        throw new TypeError(`The wallet is not on chain ${chainId}`);
      return client.sendTransaction({ account, chain: null, to, data } as never);
    },
    ask,
  };
}

function eip1193Wallet(wallet: Eip1193Wallet): Wallet {
  const ask: Ask = (method, params) => wallet.request({ method, params });
  const address = async (): Promise<string> => {
    const accounts = await ask('eth_requestAccounts', []);
    const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof first !== 'string') throw new TypeError('The wallet shows no account');
    return first;
  };
  return {
    address,
    sign: async (data) => hexOf(await ask('eth_signTypedData_v4', [await address(), JSON.stringify(data)])),
    send: async ({ to, data, chainId }) => {
      const call = { from: await address(), to, data, chainId: `0x${chainId.toString(16)}` };
      return hexOf(await ask('eth_sendTransaction', [call]));
    },
    ask,
  };
}

function hexOf(value: unknown): Hex {
  if (typeof value === 'string' && isHex(value)) return value;
  throw new TypeError('The wallet has not answered in hexadecimal');
}
