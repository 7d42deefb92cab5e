/**
 * Earnings join their worker to a buyer when they are at least 1 / this of what the buyer has ever paid. Unit: none.
 * source: docs/reputation.md (policy; the size of the gift is the price of a false link)
 */
export const MIN_FUNDING_SHARE_DENOMINATOR = 2;

/** Most workers who are paid out to one wallet that still says something about them. source: as above (policy) */
export const MAX_SHARED_PAYOUT_WALLET = 10;

/** Most wallets that a wallet sends to before it is taken for a service's, and read no more. source: as above (policy) */
export const MAX_RECEIVERS = 200;

/** Blocks above a transfer before it is final, beside CHAIN_CONFIRMATIONS. source: two epochs of Ethereum's consensus */
export const FINAL_DEPTH = 64;
