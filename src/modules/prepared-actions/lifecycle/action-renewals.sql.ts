/**
 * Id of the newest renewal of an action that still exists, or of the action: an unsigned renewal is deleted sooner than
 * the signed action that it renewed. Parameter of a TypeORM query: `id` of the action.
 */
export const NEWEST = `
  WITH RECURSIVE line AS (
    SELECT id, renewed_by, 0 AS place FROM prepared_actions WHERE id = :id
    UNION ALL
    SELECT next.id, next.renewed_by, place + 1 FROM line JOIN prepared_actions next ON next.id = line.renewed_by
  )
  SELECT id FROM line ORDER BY place DESC LIMIT 1`;
