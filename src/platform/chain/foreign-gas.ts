/** What a wallet may spend on deploying itself and checking a signature: several times what the dearest known ones do. */
export const CHECK_GAS = 5_000_000;

/**
 * What one call of an action may spend: the dearest of ours, and two wallets that check a signature at their bound. Below
 * half of the smallest usual block, so that two calls can be tried as one block.
 */
export const TRIED_GAS = 12_000_000;
