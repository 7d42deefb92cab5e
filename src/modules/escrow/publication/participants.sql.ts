/**
 * Finds the agent and the account that work on nodes. The worker is the agent whose signed quote was taken up. Where no
 * quote is known (the terms were signed elsewhere), it is the oldest agent that names the worker's wallet and belongs to
 * the account of that wallet: the wallet that an agent names is a claim, which only a signature or a linked wallet proves.
 * An account may also work without an agent.
 *
 * The table of quotes is read directly, because the answer must come from the transaction of the block, for all nodes in
 * one statement. The oldest agent is found by an aggregate, because a limit would tempt the planner to walk all agents
 * from the oldest on.
 */
export const WORKERS = `
  SELECT node.task_id, node.path, coalesce(quoted.id, own.id) AS agent_id,
    coalesce(quoted.account_id, holder.id) AS account_id
  FROM unnest($1::text[], $2::text[], $3::text[]) AS node (task_id, path, wallet)
  LEFT JOIN LATERAL (
    SELECT account_id AS id FROM account_wallets WHERE address = node.wallet
    UNION ALL
    SELECT id FROM accounts WHERE wallet_address = node.wallet
    LIMIT 1
  ) holder ON true
  LEFT JOIN quotes quote
    ON quote.task_id = node.task_id AND quote.node_path = node.path AND quote.worker_wallet = node.wallet
  LEFT JOIN agents quoted ON quoted.id = quote.agent_id AND quote.signature IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT (array_agg(agent.id ORDER BY agent.id))[1] AS id FROM agents agent
    WHERE quote.signature IS NULL AND agent.wallet_address = node.wallet AND agent.account_id = holder.id
  ) own ON true`;
