/** A wallet that has just signed a message of ours. */
export interface WalletProof {
  /** EIP-55. */
  address: string;
  /** EIP-155 id of the chain whose contract agreed; 0 when the address's own key signed, which is the same on every chain. */
  chainId: number;
}
