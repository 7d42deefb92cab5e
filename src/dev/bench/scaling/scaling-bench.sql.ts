/** The process of Postgres that answers this connection. */
export const ANSWERING_PROCESS = 'SELECT pg_backend_pid() AS pid';
