/** A row where the server has the database $1. */
export const KNOWS_DATABASE = 'SELECT 1 FROM pg_database WHERE datname = $1';
