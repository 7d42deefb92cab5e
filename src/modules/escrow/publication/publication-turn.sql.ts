import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Which advisory lock; the digits have no meaning. */
const KEYS = `${0x7a5c}, ${0x51d2}`;

/**
 * To be taken by every transaction that publishes trees, or counts what was left while many waited, before it locks
 * anything of them. All that share it may run at once, because each locks tasks, agents and accounts in one sorted pass.
 * What is taken after a savepoint is given up with it.
 */
export const SHARE_PUBLICATION: PreparedStatement = {
  name: 'trees-share',
  text: `SELECT pg_advisory_xact_lock_shared(${KEYS})`,
};

/** Waits for all that share it, and keeps others waiting until the transaction ends, which may then lock in any order. */
export const OWN_PUBLICATION: PreparedStatement = {
  name: 'trees-own',
  text: `SELECT pg_advisory_xact_lock(${KEYS})`,
};
