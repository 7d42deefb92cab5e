import type { Wallet } from '../../wallets/discovery.js';

/** What a person can do on the page. */
export interface ApprovalActions {
  connect(wallet: Wallet): void;
  /** Goes back to the choice of wallets. */
  disconnect(): void;
  /** Lets the person choose another account of the same wallet. */
  switchAccount(): void;
  switchNetwork(): void;
  /** Reads and checks everything anew. */
  checkAgain(): void;
  confirm(isConfirmed: boolean): void;
  sign(): void;
  /** Sends the signed call. */
  send(): void;
  /** Stops waiting for the wallet. What it still answers is ignored. */
  stopWaiting(): void;
  /** Tells the service of a signature that did not reach it. */
  submitAgain(): void;
  decline(): void;
  renew(): void;
  linkDevice(): void;
}
