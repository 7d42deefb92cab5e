/** A wallet that has just signed a message of this service. */
export interface WalletProof {
  /** EIP-55. */
  address: string;
  /**
   * EIP-155 id of the chain whose contract confirmed the signature; 0 when the address's own key signed, which holds on
   * every chain.
   */
  chainId: number;
}
