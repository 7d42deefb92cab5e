/** Most actions that are counted for one application; a count of one more says that there are more. */
export const COUNTED_ACTIONS = 1_000;

/**
 * $1 account. Steps through the index from one application to the next and reads at most `COUNTED_ACTIONS` + 1 rows of
 * each, because an application may have prepared very many. Ids begin with `act_` and sort by time, so the newest id of an
 * application is the last one below `b`.
 */
export const PREPARED_COUNTS = `WITH RECURSIVE app AS (
    SELECT min(client_id) AS client_id FROM prepared_actions WHERE account_id = $1 AND client_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(client_id) FROM prepared_actions WHERE account_id = $1 AND client_id > app.client_id)
    FROM app WHERE app.client_id IS NOT NULL
  )
  SELECT client_id, prepared, (
      SELECT created_at FROM prepared_actions
      WHERE account_id = $1 AND client_id IS NOT NULL AND (client_id, id) < (app.client_id, 'b')
      ORDER BY client_id DESC, id DESC LIMIT 1
    ) AS last_prepared_at
  FROM app
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS prepared FROM (
      SELECT id FROM prepared_actions
      WHERE account_id = $1 AND client_id >= app.client_id AND (client_id, id) < (app.client_id, 'b')
      ORDER BY client_id DESC, id DESC LIMIT ${COUNTED_ACTIONS + 1}
    ) AS newest
  ) AS counted
  WHERE client_id IS NOT NULL`;
