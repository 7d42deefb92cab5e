/** What is derived from the chain, by table: a digest of each row. Numbers that are given in the order of writing are left out. */
export const DERIVED_ROWS: Readonly<Record<string, string>> = {
  chain_facts: 'SELECT md5(one::text) AS digest FROM chain_facts one',
  escrow_trees: 'SELECT md5(one::text) AS digest FROM escrow_trees one',
  escrow_nodes: 'SELECT md5(one::text) AS digest FROM escrow_nodes one',
  deliveries: 'SELECT md5(one::text) AS digest FROM deliveries one',
  receipts: 'SELECT md5(one::text) AS digest FROM receipts one',
  settlements: 'SELECT md5(one::text) AS digest FROM settlements one',
  payouts: 'SELECT md5(one::text) AS digest FROM payouts one',
  buyer_evidence: 'SELECT md5(one::text) AS digest FROM buyer_evidence one',
  reputation_records: 'SELECT md5(one::text) AS digest FROM reputation_records one',
  match_briefs: `SELECT md5(task_id || ' ' || word || ' ' || weight) AS digest FROM match_briefs brief
    JOIN match_brief_postings posting ON posting.brief_number = brief.number JOIN match_terms USING (term_id)`,
  task_parties: `SELECT md5(concat_ws(' ', task_id, account_id, role)) AS digest FROM task_parties`,
  tasks: `SELECT md5(concat_ws(' ', id, status, chain_status, selected_agent_id)) AS digest FROM tasks`,
  quotes: `SELECT md5(concat_ws(' ', id, status)) AS digest FROM quotes`,
};

/** Some tasks with the accounts that may read them. */
export const READ_TASKS = `SELECT id, buyer_account_id AS "accountId" FROM tasks ORDER BY md5(id) LIMIT 1000`;
