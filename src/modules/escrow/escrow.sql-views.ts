/** SQL of the newest indexed block: its `number` and its `timestamp`; no row while there is none. */
export const NEWEST_BLOCK = 'SELECT number, timestamp FROM chain_blocks ORDER BY number DESC LIMIT 1';
