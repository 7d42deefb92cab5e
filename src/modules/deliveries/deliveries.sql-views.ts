/**
 * Deletes reasons of rejections that no delivery shows.
 * @param rejections rows with `node_id` and `reason_hash`: a name of the statement that this is a part of.
 * @param condition says of which of them, and may use the names of `rejections`; `said` is a reason.
 */
export function deleteUnsaidReasons(rejections: string, condition: string): string {
  return `DELETE FROM rejection_reasons said USING ${rejections}
    WHERE said.node_id = ${rejections}.node_id AND said.reason_hash = ${rejections}.reason_hash
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.node_id = said.node_id AND d.reason_hash = said.reason_hash)
      AND ${condition}`;
}
