import type { DataSource } from 'typeorm';

/** Everything that is derived from the chain, to compare one index with another. */
export async function derivedState(dataSource: DataSource): Promise<Record<string, unknown[]>> {
  const tables: Record<string, string> = {
    facts: 'SELECT * FROM chain_facts ORDER BY block_number, log_index',
    tip: 'SELECT number, hash FROM chain_blocks ORDER BY number DESC LIMIT 1',
    trees: 'SELECT * FROM escrow_trees ORDER BY task_id',
    nodes: 'SELECT * FROM escrow_nodes ORDER BY id',
    deliveries: 'SELECT * FROM deliveries ORDER BY id',
    receipts: 'SELECT * FROM receipts ORDER BY id',
    settlements: 'SELECT * FROM settlements ORDER BY node_id',
    payouts: 'SELECT * FROM payouts ORDER BY task_id, node_path, recipient',
    evidence: 'SELECT * FROM buyer_evidence ORDER BY agent_id, buyer_cluster_id',
    reputation: 'SELECT * FROM reputation_records ORDER BY agent_id',
    briefs: `SELECT task_id, word, weight FROM match_briefs b JOIN match_brief_postings p ON p.brief_number = b.number
      JOIN match_terms USING (term_id) ORDER BY task_id, word`,
    parties: 'SELECT * FROM task_parties ORDER BY task_id, account_id, role',
    tasks: 'SELECT id, status, selected_agent_id FROM tasks ORDER BY id',
    quotes: 'SELECT id, status FROM quotes ORDER BY id',
  };
  const state: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(tables)) state[name] = await dataSource.query<unknown[]>(sql);
  return state;
}

/**
 * Copies the rows that are not derived from the chain into an empty database, so that an index can be rebuilt there.
 */
export async function copyOwnRecords(from: DataSource, to: DataSource): Promise<void> {
  for (const table of ['accounts', 'agents', 'tasks', 'task_parties', 'quotes']) {
    const [{ rows }] = await from.query<[{ rows: unknown }]>(`SELECT json_agg(t) AS rows FROM ${table} t`);
    if (rows === null) continue;
    await to.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  await to.query(`DELETE FROM task_parties WHERE role IN ('hirer', 'worker')`);
  await to.query(`UPDATE tasks SET status = 'draft', selected_agent_id = NULL`);
  await to.query(`UPDATE quotes SET status = 'submitted'`);
}
