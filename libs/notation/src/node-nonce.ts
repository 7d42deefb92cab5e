/*
 * The nonce of an action about a node is the state that it was signed for: the node's path, and the version that the node
 * has then. Withdrawals have nonces of their own, which their signer counts up.
 */

/** Nonces from this one on are for withdrawals, all others about nodes (ActionAuthorizer.sol, `FIRST_WITHDRAWAL_NONCE`). */
export const FIRST_WITHDRAWAL_NONCE = 1n << 255n;

/** Bits of a nonce below the path, which hold the version of the node. */
export const NODE_VERSION_BITS = 8n;

const VERSION_MASK = (1n << NODE_VERSION_BITS) - 1n;

/** Path and version of the node in the nonce of an action about one; the path of any other nonce is none. */
export function nodeNonceParts(nonce: bigint): { readonly path: bigint; readonly version: number } {
  return { path: nonce >> NODE_VERSION_BITS, version: Number(nonce & VERSION_MASK) };
}
