// What the Demo Wallet asks on the page of a deployment: it sends with accounts that a chain on this machine signs for.
import { WalletRefusal } from '../../../../../dist/src/dev/test-wallet/wallet-methods.js';

/** Codes of EIP-1193. */
const UNSUPPORTED_METHOD = 4200;
const UNKNOWN_CHAIN = 4902;

/** Answers the wallet's requests. Who may ask is for the page's server to decide. */
export class OwnAccounts {
  #chain;
  #chainId;
  #accounts;

  /**
   * @param {import('./chain.mjs').Chain} chain
   * @param {number} chainId
   * @param {string[]} accounts the chain's own; none where it is not on this machine
   */
  constructor(chain, chainId, accounts) {
    this.#chain = chain;
    this.#chainId = chainId;
    this.#accounts = accounts;
  }

  /** Throws WalletRefusal, or ChainFault where the chain refuses. */
  async answer(method, [parameter]) {
    if (this.#accounts.length === 0)
      throw new WalletRefusal(UNSUPPORTED_METHOD, 'This chain has no accounts of its own.');
    switch (method) {
      case 'test_people':
        return this.#accounts.map((address, index) => ({ name: `Account ${index + 1}`, address }));
      case 'eth_chainId':
        return `0x${this.#chainId.toString(16)}`;
      case 'wallet_switchEthereumChain':
        if (Number(parameter?.chainId) === this.#chainId) return null;
        throw new WalletRefusal(UNKNOWN_CHAIN, 'The Demo Wallet knows this chain alone.');
      case 'eth_sendTransaction':
        return this.#chain.send(parameter);
      case 'eth_getTransactionReceipt':
        return this.#chain.receiptOf(parameter);
      default:
        throw new WalletRefusal(UNSUPPORTED_METHOD, 'The Demo Wallet of this page only sends transactions.');
    }
  }
}
