import pg from 'pg';

/** Counts how often this process sends Postgres the prepared statement of that name, from now on. */
export function sentStatements(name: string): () => number {
  const { mock } = jest.spyOn(pg.Client.prototype, 'query');
  const before = mock.calls.length;
  const isIt = ([query]: unknown[]): boolean =>
    typeof query === 'object' && query !== null && 'name' in query && query.name === name;
  return () => mock.calls.slice(before).filter(isIt).length;
}
