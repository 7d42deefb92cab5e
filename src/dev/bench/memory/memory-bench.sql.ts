/** Selects an open public task, whose matches the load asks for. */
export const OPEN_TASK = `SELECT id FROM tasks WHERE status = 'open' AND tier = 'public' ORDER BY id LIMIT 1`;
