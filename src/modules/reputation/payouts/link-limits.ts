/**
 * Earnings sent to a buyer link the worker to the buyer when they are at least 1 / this of all that the buyer has paid.
 * Unit: none. source: docs/reputation.md (policy; the size of the gift is the price of a false link)
 */
export const MIN_FUNDING_SHARE_DENOMINATOR = 2;

/** Most workers paid out to one wallet for which the wallet still links its workers. source: as above (policy) */
export const MAX_SHARED_PAYOUT_WALLET = 10;

/** Most receivers of a wallet before it counts as a service's and is no longer read. source: as above (policy) */
export const MAX_RECEIVERS = 200;

/**
 * Least number of blocks above a final transfer; CHAIN_CONFIRMATIONS if that is greater. source: two epochs of
 * Ethereum's consensus
 */
export const FINAL_DEPTH = 64;
