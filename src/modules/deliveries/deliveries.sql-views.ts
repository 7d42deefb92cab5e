/**
 * SQL that deletes the reasons of some rejections, unless a delivery shows them.
 * @param rejections name of a table of the surrounding statement with the columns `node_id` and `reason_hash`.
 * @param condition SQL of a further condition; it may name `rejections`, and `said`, the row of a reason.
 */
export function deleteUnsaidReasons(rejections: string, condition: string): string {
  return `DELETE FROM rejection_reasons said USING ${rejections}
    WHERE said.node_id = ${rejections}.node_id AND said.reason_hash = ${rejections}.reason_hash
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.node_id = said.node_id AND d.reason_hash = said.reason_hash)
      AND ${condition}`;
}
