import { MAX_RECEIVERS } from './link-limits.js';

/** Begins to follow the wallets that earnings were paid to. $1 the block before the first that is read of them. */
export const ENROL_WALLETS = `INSERT INTO payout_wallets (address, scanned_to) SELECT DISTINCT recipient, $1::integer FROM payouts
       ON CONFLICT DO NOTHING`;

const nextWallets = (place: 'min' | 'max'): string => `SELECT address, scanned_to FROM payout_wallets
       WHERE NOT is_service AND address <> ALL ($2)
         AND scanned_to = (
           SELECT ${place}(scanned_to) FROM payout_wallets
           WHERE NOT is_service AND scanned_to < $1 AND address <> ALL ($2)
         )
       ORDER BY address LIMIT $3`;

/** At most $3 wallets, none of $2, that are furthest behind the block $1, all read up to the same block. */
export const LAST_WALLETS = nextWallets('min');

/** As `LAST_WALLETS`, of those that are nearest to the block and behind it. */
export const FIRST_WALLETS = nextWallets('max');

/** Notes that the wallets $2, which were read up to the block $3, are read up to the block $1. */
export const MOVE_WALLETS = 'UPDATE payout_wallets SET scanned_to = $1 WHERE address = ANY($2) AND scanned_to = $3';

/**
 * Adds transfers to the stored sums, but for those to oneself and to an escrow. $1 senders, $2 receivers, $3 amounts,
 * in the same order.
 */
export const ADD_TRANSFERS = `INSERT INTO payout_transfers AS known (from_address, to_address, amount)
     SELECT sender, receiver, sum(amount) FROM unnest($1::text[], $2::text[], $3::numeric[]) AS sent (sender, receiver, amount)
     WHERE sender <> receiver AND NOT EXISTS (SELECT FROM tasks WHERE escrow_address = receiver)
     GROUP BY sender, receiver
     ON CONFLICT (from_address, to_address) DO UPDATE SET amount = known.amount + excluded.amount`;

/** Takes those of the wallets $1 that have paid more receivers than a person would for services, such as exchanges. */
export const MARK_SERVICES = `UPDATE payout_wallets SET is_service = true WHERE address = ANY($1)
     AND (SELECT count(*) FROM payout_transfers WHERE from_address = address) > ${MAX_RECEIVERS}`;

/** Deletes the sums of those of the wallets $1 that are services. */
export const FORGET_SERVICES = `DELETE FROM payout_transfers USING payout_wallets
     WHERE is_service AND address = from_address AND address = ANY($1)`;
