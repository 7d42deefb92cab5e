/** Takes the key $1 for the account $2. */
export const BARE_RESERVE = `WITH bound AS MATERIALIZED (SELECT set_config('lock_timeout', '3000ms', true))
        INSERT INTO idempotency_records (scope_hash, fingerprint, api_version, account_id, operation_id, status, body,
          created_at, expires_at) SELECT $1, $1, '2026-11-20', $2, 'prepareNodeAbandonment', 0, '', now(),
          now() + interval '1 day' FROM bound ON CONFLICT (scope_hash) DO NOTHING`;

/** The node $2 of the task $1. */
export const BARE_NODE = `SELECT task.escrow_address, node.path, node.version, node.worker_account_id, node.worker_wallet, node.state,
          node.allocated FROM tasks task JOIN escrow_nodes node ON node.task_id = task.id
        WHERE task.id = $1 AND node.id = $2`;

/**
 * Stores the action $1. $2 account, $3 wallet, $4 task, $5 node, $6 escrow, $7 nonce, $8 payload, $9 token of the
 * signing link.
 */
export const BARE_ACTION = `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, node_id,
          chain_id, escrow_address, nonce, request_digest, payload, signing_token_hash, signing_token_sealed, created_at,
          expires_at, valid_until) VALUES ($1, $1, 'abandon_node', 'worker', $2, $3, $4, $5, 31337, $6, $7, '0x', $8, $9, $9, now(),
          now() + interval '15 minutes', now() + interval '16 minutes')`;

/** Stores the answer $2 of the key $1. */
export const BARE_COMPLETE = 'UPDATE idempotency_records SET status = 200, body = $2 WHERE scope_hash = $1';

/** Nodes that their workers could give up. */
export const FUNDED_NODES = `SELECT n.id, n.path, n.version, n.task_id, n.worker_wallet, n.worker_account_id, t.escrow_address
    FROM escrow_nodes n JOIN tasks t ON t.id = n.task_id WHERE n.state = 'funded' AND n.allocated = 0 ORDER BY n.id`;
