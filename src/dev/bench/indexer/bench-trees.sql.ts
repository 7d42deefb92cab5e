/** Makes accounts of the kind $1 with the wallets $2. */
export const INSERT_ACCOUNTS = `INSERT INTO accounts (id, name, wallet_address, status, created_at)
  SELECT 'acct_' || $1::text || number, $1::text || number, address, 'active', now()
  FROM unnest($2::text[]) WITH ORDINALITY AS wallet (address, number)`;

/** Makes an agent of each worker; $1 their wallets. */
export const INSERT_AGENTS = `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
    wallet_address, created_at, updated_at, search)
  SELECT 'agent_' || number, 'acct_worker' || number, 'Agent', '', 'https://example.com/card', '{}', 'active', true, address,
    now(), now(), ''::tsvector
  FROM unnest($1::text[]) WITH ORDINALITY AS wallet (address, number)`;

/** Makes drafts. $1 ids, $2 numbers of buyers, $3 briefs, $4 wallets of buyers, $5 escrows, in the same order. */
export const INSERT_TASKS = `WITH made AS (
    INSERT INTO tasks (id, buyer_account_id, title, brief, criteria, budget, selection_mode, tier, status,
      accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address, document,
      created_at, updated_at)
    SELECT id, 'acct_buyer' || buyer, 'Some work', brief, '{}', 25000000, 'manual', 'public', 'draft', 86400, 604800,
      '0x' || repeat('ab', 32), wallet, '0x' || repeat('0', 40), escrow, '{}', now(), now()
    FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[]) AS task (id, buyer, brief, wallet, escrow)
    RETURNING id, buyer_account_id)
  INSERT INTO task_parties (task_id, account_id, role) SELECT id, buyer_account_id, 'buyer' FROM made`;

/**
 * Makes an offer for each task. $1 tasks, $2 numbers of workers, $3 numbers of buyers, $4 wallets of workers, in the
 * same order.
 */
export const INSERT_QUOTES = `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path,
    price, floor, work_seconds, max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status, valid_until,
    action_id, request_digest, nonce, signature, created_at)
  SELECT 'quote' || substr(task_id, 5), task_id, 'agent_' || worker, 'acct_worker' || worker, 'acct_buyer' || buyer, '1',
    25000000, 12500000, 604800, 3, 86400, true, '0x' || repeat('ab', 32), wallet, 'submitted',
    now() + interval '7 days', 'act' || substr(task_id, 5), '0x' || repeat('ab', 32), 256, '0x' || repeat('11', 65), now()
  FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[]) AS offer (task_id, worker, buyer, wallet)`;

/** How many nodes of the task $1 are shown. */
export const COUNT_NODES = 'SELECT count(*)::integer AS nodes FROM escrow_nodes WHERE task_id = $1';

/** How much of the trees is shown, and how many trees are not yet. */
export const COUNT_SHOWN = `SELECT (SELECT count(*)::integer FROM tasks WHERE status = 'resolved') AS resolved,
       (SELECT count(*)::integer FROM receipts) AS receipts, (SELECT count(*)::integer FROM settlements) AS settlements,
       (SELECT count(*)::integer FROM unpublished_trees) AS waiting`;

/** Whether all events that were recorded are in the log. */
export const ARE_LOGGED = 'SELECT NOT EXISTS (SELECT FROM event_outbox) AS logged';
