import {
  AbiCoder,
  concat,
  getCreate2Address,
  hexlify,
  type Wallet,
  id,
  keccak256,
  toUtf8String,
  zeroPadValue,
} from 'ethers';
import { contractWalletCode } from '../contract-wallet.js';
import { randomWallet } from '../random-wallet.js';
import type { PersonWallet } from './person.js';

/** The CREATE2 factory that anvil and most chains have: it is called with the salt followed by the creation code. */
const CREATE2_FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** Ends the signature of a wallet that is not deployed yet (ERC-6492). */
const UNDEPLOYED_MAGIC = `0x${'6492'.repeat(16)}`;
const LOCAL_CHAIN = '0x7a69';

/** An error in the form of EIP-1193. */
export class WalletError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A wallet as a page sees it: its name and its answers. */
export interface InjectedWallet {
  name: string;
  /** The calls that the wallet got, for specs to check. */
  calls: { method: string; params: readonly unknown[] }[];
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface InjectedWalletOptions {
  name?: string;
  /** Id of the chain that the wallet is on. */
  chain?: string;
  /** Answers a method in another way; undefined keeps the usual answer. */
  answer?: (method: string, params: readonly unknown[]) => Promise<unknown> | undefined;
}

/** A wallet in a browser that signs with `signer`, which may be the owner of a contract. */
export function injectedWallet(signer: PersonWallet, options: InjectedWalletOptions = {}): InjectedWallet {
  let chain = options.chain ?? LOCAL_CHAIN;
  const calls: InjectedWallet['calls'] = [];
  return {
    name: options.name ?? 'Key Wallet',
    calls,
    async request(method, params) {
      calls.push({ method, params });
      const own = options.answer?.(method, params);
      if (own !== undefined) return own;
      switch (method) {
        case 'eth_requestAccounts':
        case 'eth_accounts':
          return [signer.address];
        case 'eth_chainId':
          return chain;
        case 'wallet_switchEthereumChain':
          chain = (params[0] as { chainId: string }).chainId;
          return null;
        case 'personal_sign':
          return signer.signMessage(toUtf8String(String(params[0])));
        default:
          throw new WalletError(4200, `This wallet does not know ${method}`);
      }
    },
  };
}

/** A wallet whose person declines to connect, or connects and declines to sign. */
export function rejecting(signer: PersonWallet, at: 'eth_requestAccounts' | 'personal_sign'): InjectedWallet {
  return refusing(signer, at, new WalletError(4001, 'User rejected the request.'));
}

/** A wallet that has another request open, as a locked one does. */
export function pending(signer: PersonWallet): InjectedWallet {
  return refusing(signer, 'eth_requestAccounts', new WalletError(-32002, 'Request already pending.'));
}

/** A wallet on another chain. It either switches when asked, or does not know the service's chain. */
export function onWrongChain(signer: PersonWallet, knowsOurs: boolean): InjectedWallet {
  const unknown = (): Promise<unknown> => Promise.reject(new WalletError(4902, 'Unrecognized chain ID.'));
  return injectedWallet(signer, {
    name: 'Wandering Wallet',
    chain: '0x1',
    answer: (method) => (method === 'wallet_switchEthereumChain' && !knowsOurs ? unknown() : undefined),
  });
}

function refusing(signer: PersonWallet, at: string, error: WalletError): InjectedWallet {
  return injectedWallet(signer, { answer: (method) => (method === at ? Promise.reject(error) : undefined) });
}

/** A contract wallet at this address whose owner signs (ERC-1271). */
export function contractWallet(address: string, owner: Wallet): PersonWallet {
  return { address, signMessage: (message) => owner.signMessage(message) };
}

/** A contract wallet that is not deployed yet; its signature says how to deploy it (ERC-6492). */
export function undeployedWallet(
  owner: Wallet = randomWallet(),
): PersonWallet & { deployment: { to: string; data: string } } {
  const salt = id(`wallet of ${owner.address}`);
  const code = contractWalletCode(owner.address);
  const deployment = { to: CREATE2_FACTORY, data: concat([salt, code]) };
  return {
    address: getCreate2Address(CREATE2_FACTORY, zeroPadValue(salt, 32), keccak256(code)),
    deployment,
    async signMessage(message) {
      const inner = hexlify(await owner.signMessage(message));
      const wrapped = AbiCoder.defaultAbiCoder().encode(
        ['address', 'bytes', 'bytes'],
        [deployment.to, deployment.data, inner],
      );
      return concat([wrapped, UNDEPLOYED_MAGIC]);
    },
  };
}
