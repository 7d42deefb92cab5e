import { byAgent, buyerOf, recordArrays, recordOf, type RunView } from '../evidence/records.js';
import { type BuyerRow, BUYERS_OF, RECORD_ROWS, RECORD_VALUES } from '../evidence/records.sql.js';
import type { RunConnection } from './run-connection.js';

/** Agents whose records are made at once. */
const AGENTS_AT_ONCE = 2_000;

const AGENTS_AFTER = `SELECT agent_id, updated_at FROM reputation_records WHERE agent_id > $1
  ORDER BY agent_id LIMIT ${AGENTS_AT_ONCE}`;

const different = RECORD_VALUES.map((column) => `made.${column}`).join(', ');
const known = RECORD_VALUES.map((column) => `known.${column}`).join(', ');

/** Only those that say something else than now: most scores do not move by a ten-thousandth in ten minutes. */
const STAGE = `INSERT INTO staged_records SELECT made.* FROM (${RECORD_ROWS}) AS made
  JOIN reputation_records known USING (agent_id) WHERE (${different}) IS DISTINCT FROM (${known})`;

/**
 * Makes every agent's record as the run sees it and puts those that change aside, in the table `staged_records` of the
 * connection. Agents of `skipped` are made when the run is written.
 * @param independenceOf of a buyer cluster; null for one that the run has not seen.
 */
export async function stageRecords(
  connection: RunConnection,
  run: RunView,
  independenceOf: (cluster: string) => number | null,
  skipped: ReadonlySet<string>,
): Promise<void> {
  for (let last = ''; ;) {
    const agents = await connection.run<{ agent_id: string; updated_at: Date }>(AGENTS_AFTER, [last]);
    const ended = new Map(agents.map(({ agent_id, updated_at }) => [agent_id, updated_at]));
    const ids = [...ended.keys()].filter((id) => !skipped.has(id));
    const buyers = byAgent(await connection.rows<BuyerRow>(BUYERS_OF, [ids]));
    const records = ids.flatMap((id) => {
      const updatedAt = ended.get(id);
      const own = (buyers.get(id) ?? []).map((row) => ({ ...buyerOf(row), independence: independenceOf(row.buyer) }));
      return updatedAt ? [recordOf(id, updatedAt, own, run)] : [];
    });
    if (records.length > 0) await connection.run(STAGE, recordArrays(records));
    last = agents.at(-1)?.agent_id ?? last;
    if (agents.length < AGENTS_AT_ONCE) return;
  }
}
