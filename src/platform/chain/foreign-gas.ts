/**
 * Gas that a wallet may use to deploy itself and check a signature: several times what the dearest known wallets use.
 */
export const CHECK_GAS = 5_000_000;

/**
 * Gas that one call of an action may use: as much as our dearest action, with two wallets that check a signature at
 * their bound. Below half of the smallest usual block, so that two calls can be tried as one block.
 */
export const TRIED_GAS = 12_000_000;
